// What one can go to, found by what is typed: names that begin so before those that have a word that begins so, before those that hold it.
import { isMap } from './value.ts';
import type { JsonMap, Space } from './wire.ts';

export type Kind = 'being' | 'place' | 'thing' | 'role' | 'signal' | 'time' | 'moment' | 'page' | 'command';
export interface Target {
  kind: Kind; name: string; note: string;
  /** Where it leads; without one it is done. */
  href?: string;
  does?: () => void | Promise<void>;
  /** Other words by which it is found. */
  also?: string;
}

const lastOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
/** An address as people call a place. */
export const placeName = (address: string): string => (address === '/' ? 'the world' : lastOf(address).replaceAll('-', ' '));

/** Where all lies in the tree, with the ways to it. */
export function targetsIn(tree: Space | null, href: { being: (name: string) => string; world: (address?: string) => string }): Target[] {
  const found: Target[] = [];
  const open = tree ? [tree] : [];
  for (let space = open.pop(); space; space = open.pop()) {
    const [{ address }, where] = [space, placeName(space.address)];
    if (address !== '/') found.push({ kind: 'place', name: placeName(address), note: `place, ${address}`, href: href.world(address), also: address });
    for (const being of space.beings) found.push({ kind: 'being', name: being.name, note: [...being.wearing.map(lastWord), where].join(', '), href: href.being(being.name), also: `@${being.name}` });
    for (const thing of space.matter) {
      found.push({ kind: 'thing', name: thing.name.replaceAll('-', ' '), note: `${thing.type.replaceAll('-', ' ')}, ${where}`, href: `${href.world(address)}?on=${encodeURIComponent(thing.address)}`, also: thing.address });
    }
    open.push(...space.spaces);
  }
  return found;
}

/** The signals of the world, each by its whole path. */
export const signalsIn = (signals: JsonMap, before = ''): Target[] => Object.entries(signals).flatMap(([key, value]) =>
  isMap(value) ? signalsIn(value, `${before}${key}.`) : [{ kind: 'signal' as const, name: before + key, note: `signal, ${JSON.stringify(value)}`, href: '#/signals' }]);

/** A role or a type without its namespace. */
export const lastWord = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** How well something fits, the least the best; null where it does not. */
function fit(target: Target, wanted: string): number | null {
  const name = target.name.toLowerCase();
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  const at = name.indexOf(wanted);
  if (at > 0) return /[\s\-_:/.]/.test(name[at - 1] ?? '') ? 2 : 3;
  return target.also?.toLowerCase().includes(wanted) ? 4 : null;
}

const ORDER: Kind[] = ['time', 'moment', 'being', 'place', 'role', 'signal', 'command', 'page', 'thing'];
const GRADES = 5;

/** The best of all, at most so many: by how well they fit, then by kind, then as they come. Each is looked at once, however many there are. */
export function best(all: Target[], typed: string, most: number): Target[] {
  const wanted = typed.trim().toLowerCase();
  const grades: Target[][] = Array.from({ length: GRADES * ORDER.length }, () => []);
  for (const target of all) {
    const grade = wanted === '' ? 0 : fit(target, wanted);
    const place = grade === null ? undefined : grades[grade * ORDER.length + ORDER.indexOf(target.kind)];
    if (place && place.length < most) place.push(target);
  }
  return grades.flat().slice(0, most);
}

/** A name in parts: what was typed stands in every second. */
export function parted(name: string, typed: string): string[] {
  const wanted = typed.trim();
  const at = wanted === '' ? -1 : name.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at, at + wanted.length), name.slice(at + wanted.length)];
}
