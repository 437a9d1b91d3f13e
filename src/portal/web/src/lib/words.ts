// Moments, refusals and reasons in words: those that the server tells. Whatever it has not told is shown as it was written.
import { codeOf, known, sayingOf } from './known.ts';
import type { ClauseOutcome, Fault, Reason } from './wire.ts';
import { offsetAt } from './zone.ts';

/** What the lint says about one place: `[1].when` of a flow, a key of a role. */
export interface Remark { place: string; text: string; isError: boolean }

/** Why something was refused, in the sentence of its code, and where. */
export function why(reason: Reason | null | undefined): string {
  if (!reason) return 'no reason was given';
  const said = codeOf(reason.code)?.sentence ?? reason.code.replaceAll('-', ' ');
  return reason.at ? `${said} (${reason.at})` : said;
}

/** What somebody can do about it; nothing where the sentence says it all. */
export const todo = (reason: Reason | null | undefined): string => (reason ? (codeOf(reason.code)?.todo ?? '') : '');
export const wakeText = (wake: string): string => sayingOf(known().wakes, wake);
export const closingText = (closing: string): string => sayingOf(known().closings, closing);
export const cognitionText = (cognition: string | null | undefined): string => (cognition ? sayingOf(known().cognitions, cognition) : 'no cognition');

/** The word of an outcome, which may carry more than a word. */
export const outcomeWord = (outcome: ClauseOutcome | null | undefined): string => (typeof outcome === 'string' ? outcome : outcome ? (Object.keys(outcome)[0] ?? '') : '');
export const outcomeText = (outcome: ClauseOutcome | null | undefined): string => (outcome ? sayingOf(known().outcomes, outcomeWord(outcome)) : 'not needed');

/** A fault or a warning of the lint as a remark. */
export function remarkOf({ place: where, what, hint }: Fault & { hint?: string | null }, isError: boolean): Remark {
  const place = where.replace(/^\/?flow/, '');
  const said = what.startsWith(`${place}: `) ? what.slice(place.length + 2) : what;
  return { place, text: hint ? `${said}; ${hint}` : said, isError };
}

/** `@ada` and `ada` as `ada`. */
export const bare = (name: string | null | undefined): string => (name ?? '').replace(/^@/, '');
export const at = (name: string | null | undefined): string => (name ? `@${bare(name)}` : '');

/** What is written from right to left. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** A name inside of a bare text that stays where it stands: what is written to the left turns nothing around it. */
export const isolated = (name: string): string => (LEFTWARD.test(name) ? `\u2068${name}\u2069` : name);

/** Things as one says them: `/hall`, `/hall and /yard`, `/hall, /yard and /barn`. */
export const listed = (things: string[]): string => (things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`);

/** One of something or many of them. */
export const count = (number: number, one: string, many = `${one}s`): string => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** The coordinates that a text means, as `3, 1`, or what is wrong with it; none where it is empty. */
export function coordsFrom(text: string): { coords: number[] } | { problem: string } {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (words.length > 3 || !words.every((word) => /^-?\d+$/.test(word))) return { problem: 'expected two whole numbers, such as `3, 1`, or three' };
  return { coords: words.map(Number) };
}

/** The clock of an ISO instant: `06:00:00`. */
export const hourOf = (iso: string | undefined): string => iso?.slice(11, 19) ?? '';
/** An instant of the world as `2026-03-02 06:00:00`; `like` is another one that is written out. */
export function timeOf(ms: number, like: string | undefined): string {
  const at = new Date(ms + offsetAt(ms, like));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
/** Its day: `2026-03-02`. */
export const dayOf = (iso: string | undefined): string => iso?.slice(0, 10) ?? '';
/** The same in words: `Monday, 2 March 2026`. */
export const longDayOf = (iso: string | undefined): string => {
  const day = new Date(`${iso?.slice(0, 10) ?? ''}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? '' : day.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
};
