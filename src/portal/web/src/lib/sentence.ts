// Sentences that the server has told, as the page shows them: who did it, what was done, and what was said. None is put together here.
import { readable, titled } from './map/caption.ts';
import type { Part as ToldPart, Report } from './wire.ts';

/** A piece of a sentence; `href` is a page of something that has no address. */
export type Part = ToldPart & { href?: string };

/** Places that one stands on. */
const ON = /\b(line|street|floor|stage|bridge|square|roof|beach|field|road|deck|island)$/;

/** A place with the word before it: `on the line`, `in the break room`. */
export function placeText(address: string): string {
  const name = readable(address);
  return `${ON.test(name) ? 'on' : 'in'} ${/\d/.test(name) ? name : `the ${name}`}`;
}

/** A sentence as bare words. */
export const plainText = (parts: readonly Part[]): string => parts.map((part) => (part.isSaid ? `“${part.text}”` : part.text)).join('');

/** Whether somebody says something in it. */
export const isSaidIn = (parts: readonly Part[]): boolean => parts.some((part) => part.isSaid);

/** What was done or wanted, without the reason why not. */
export const withoutWhy = (parts: readonly Part[]): Part[] => parts.filter((part) => !part.isWhy);

/** Who did the same: the first two, and how many others. */
export function subjects(beings: string[]): Part[] {
  const names: Part[] = beings.map((being) => (being === 'world' ? { text: 'The world', isWho: true } : { text: titled(being), to: `@${being}`, isWho: true }));
  const [first, second, third] = names;
  if (!first || !second) return names;
  if (names.length === 2) return [first, { text: ' and ' }, second];
  return names.length === 3 && third ? [first, { text: ', ' }, second, { text: ' and ' }, third] : [first, { text: ', ' }, second, { text: ` and ${names.length - 2} others` }];
}

/** A moment behind the name of whoever did it. */
export const sentenceOf = ({ being, told }: Pick<Report, 'being' | 'told'>): Part[] => [...subjects([being]), { text: ' ' }, ...told];
