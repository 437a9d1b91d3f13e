// The caption below somebody on the map: their last deed, in four words at most. Names of things are as people say them.
import { isDeed, isDone, isLooked, isRefused, isSight } from '../moment.ts';
import { isSaidIn, plainText } from '../sentence.ts';
import type { Report } from '../wire.ts';

/** The last part of an address or a name as one says it: `/factory/line/board-00684` as `board 684`. */
export const readable = (address: string): string => (address.split('/').at(-1) ?? address).replace(/^@/, '').replace(/[-_.]+/g, ' ').replace(/\b0+(\d)/g, '$1').trim();

/** A name at the head of a sentence or below a face. */
export const titled = (name: string): string => readable(name).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** A text that ends with … where it is longer than so many letters. */
export function cutTo(text: string, letters: number): string {
  const all = [...text];
  return all.length <= letters ? text : `${all.slice(0, Math.max(1, letters - 1)).join('').trimEnd()}…`;
}

const WORDS_MAX = 4;
const LETTERS_MAX = 20;
/** Words that lead to another: a caption does not end with one. */
const LEADING = new Set(['a', 'an', 'the', 'in', 'on', 'to', 'of', 'at', 'for', 'with', 'from', 'into', 'and', 'by', 'is', 'that', 'under', 'over', 'onto', 'up', 'out', 'his', 'her', 'its']);

/** What somebody did, as a caption; nothing for looks and for what is said, which hangs over the head. */
export function captionOf(report: Report | undefined): string {
  if (!report || isLooked(report) || isSight(report)) return '';
  if (isRefused(report)) return 'was refused';
  if (!isDone(report) || !isDeed(report) || isSaidIn(report.told)) return '';
  const words = plainText(report.told).split(/\s+/);
  const kept = words.slice(0, WORDS_MAX);
  while (kept.length > 1 && kept.join(' ').length > LETTERS_MAX) kept.pop();
  return trimmed(kept);
}

/** Words without those at the end that lead to another. */
export function trimmed(words: string[]): string {
  const last = words.findLastIndex((word) => !LEADING.has(word));
  return words.slice(0, last + 1).join(' ');
}
