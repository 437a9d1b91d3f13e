// Entries of an inbox as sentences: who did what, with links to all that they name. An answer knows its question.
import { isDone, isRequeued, isSummoned, isWatching } from './moment.ts';
import { placeText, sentenceOf, type Part } from './sentence.ts';
import { isMap } from './value.ts';
import { momentOf } from './wake.ts';
import type { InboxEntry, Json, Report, Wake } from './wire.ts';
import { bare } from './words.ts';

/** The most questions with their answers that stand below what waits. */
const PAIRS = 5;

/** The text of what was said, where it is text. */
export const wordsOf = (content: Json | undefined): string =>
  typeof content === 'string' ? content : isMap(content) && typeof content['content'] === 'string' ? content['content'] : '';

/** Whether it only says how a question closed, which got no words. */
export const isReceipt = ({ kind, intent, content }: Pick<Wake, 'kind' | 'intent' | 'content'>): boolean => isSummoned(kind) && (intent === 'receipt' || (isMap(content) && typeof content['closing'] === 'string'));

/** The draft that a receipt tells of. */
export function draftOf(content: Json | undefined): string | null {
  const made = isMap(content) && typeof content['hash'] === 'string' ? content['made'] : null;
  return Array.isArray(made) && typeof made[0] === 'string' ? made[0] : null;
}

/** A sentence in which whoever reads it is called `you`: `the flow of Nova` is `your flow`. */
export function toYou(parts: Part[], name: string): Part[] {
  const spoken: Part[] = [];
  for (const part of parts) {
    const isReader = !part.isSaid && !part.href && bare(part.to) === name && part.to?.startsWith('@');
    const before = spoken.at(-1);
    const owned = isReader && before && !before.to ? /^(.*?)the ([\p{L} ]+) of $/u.exec(before.text) : null;
    if (owned && before) spoken.splice(-1, 1, { ...before, text: `${owned[1]}your ${owned[2]}` });
    else spoken.push(isReader ? { ...part, text: part.isWho ? 'You' : 'you' } : part);
  }
  return spoken;
}

/** An entry as a sentence; of somebody's deed the moment itself tells more, where it is known. */
export function entryTold(entry: InboxEntry, cause?: Report): Part[] {
  const count = entry.count ?? 1;
  if (cause && isWatching(entry.kind)) return [...sentenceOf(cause), ...(count > 1 ? [{ text: `, ${count} times` }] : []), ...(entry.place ? [{ text: ` ${placeText(entry.place)}` }] : [])];
  const isOwn = cause && isDone(cause) && bare(cause.being) === bare(entry.from) && draftOf(entry.content) === null;
  return cause && isOwn && isReceipt(entry) ? sentenceOf(cause) : entry.sentence;
}

/** The moment that it comes from. */
export const momentIn = ({ cause }: Pick<Wake, 'cause'>): number | null => momentOf(cause);

/** Those of its moments by which a being closed a summons, the newest first: each may answer a question. */
export const answersIn = (moments: readonly Report[]): Report[] => moments.filter((report) => isSummoned(report.wake) && !isRequeued(report)).slice(0, PAIRS);
