// What is written along the time of the dock: hours or dates, as finely as there is room for; and the words of what lies ahead. Nothing overlaps.
import { instantsOf } from './zone.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How wide a letter of twelve pixels is at most, and what lies free between two labels. */
const LETTER = 7;
const GAP = 10;
/** A label stands so far right of its line. */
export const BESIDE = 4;

/** A line across the dock at `x`, with words that begin at `from` and are so wide. */
export interface Label { x: number; text: string; from: number; width: number }
interface Mark { at: number; text: string }

const two = (number: number): string => String(number).padStart(2, '0');
const widthOf = (text: string): number => Math.ceil(text.length * LETTER);

function clockText(local: number, step: number): string {
  const at = new Date(local);
  if (step >= DAY || (step >= MINUTE && local % DAY === 0)) return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
  const clock = `${at.getUTCHours()}:${two(at.getUTCMinutes())}`;
  return step < MINUTE ? `${clock}:${two(at.getUTCSeconds())}` : clock;
}

/** A span of time, and the offset of the world's clock at each of its instants. */
interface Span { from: number; to: number; offset: (ms: number) => number }

/** Where a span begins and ends on the clock of the world. */
function onClock({ from, to, offset }: Span): [number, number] {
  const offsets = [offset(from), offset(to)];
  return [from + Math.min(...offsets), to + Math.max(...offsets)];
}

/** Marks at times of the clock: of an hour that comes twice it has two, of one that is left out none. */
const marked = ({ from, to, offset }: Span, locals: { local: number; text: string }[]): Mark[] =>
  locals.flatMap(({ local, text }) => instantsOf(local, offset).map((at) => ({ at, text }))).filter(({ at }) => at >= from && at <= to).toSorted((a, b) => a.at - b.at);

/** The marks of steps that are all of one length. */
function even(span: Span, step: number): Mark[] {
  const [begins, ends] = onClock(span);
  const locals: { local: number; text: string }[] = [];
  for (let local = Math.ceil(begins / step) * step; local <= ends; local += step) locals.push({ local, text: clockText(local, step) });
  return marked(span, locals);
}

/** The marks of so many months each. */
function monthly(span: Span, months: number): Mark[] {
  const [begins, ends] = onClock(span);
  const first = new Date(begins);
  const locals: { local: number; text: string }[] = [];
  for (let month = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months) * months; ; month += months) {
    const year = Math.floor(month / 12);
    const local = Date.UTC(year, month % 12, 1);
    if (local > ends) return marked(span, locals);
    locals.push({ local, text: month % 12 === 0 ? String(year) : `${MONTHS[month % 12]}` });
  }
}

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((many) => many * SECOND), ...[1, 2, 5, 10, 15, 30].map((many) => many * MINUTE),
  ...[1, 2, 3, 6, 12].map((many) => many * HOUR), DAY, 2 * DAY, 7 * DAY,
];
const MONTH_STEPS = [1, 3, 6, 12, 24, 60, 120, 600, 1200];

/** Marks as labels, or nothing where two would meet; what would reach out at the right is left away. */
function laid(marks: Mark[], xOf: (at: number) => number, width: number): Label[] | null {
  const labels: Label[] = [];
  let free = -Infinity;
  for (const { at, text } of marks) {
    const x = xOf(at);
    const label = { x, text, from: x + BESIDE, width: widthOf(text) };
    if (label.from + label.width > width) continue;
    if (label.from < free) return null;
    free = label.from + label.width + GAP;
    labels.push(label);
  }
  return labels;
}

/** What both ends are called where nothing round lies between them. */
function ends(span: Span, width: number): Label[] {
  const [from, to] = [span.from, span.to].map((at) => at + span.offset(at)) as [number, number];
  const long = span.to - span.from;
  const year = (at: number): string => String(new Date(at).getUTCFullYear());
  const fine = (at: number): string => (long >= 400 * DAY ? year(at) : long >= 2 * DAY ? clockText(at, DAY) : `${clockText(at, SECOND)}${long < 2 * SECOND ? `.${String(Math.floor(((at % SECOND) + SECOND) % SECOND)).padStart(3, '0')}` : ''}`);
  for (const say of [fine, (at: number) => clockText(at, SECOND), (at: number) => clockText(at, HOUR)]) {
    const [first, last] = [say(from), say(to)];
    if (widthOf(first) + widthOf(last) + GAP + 2 * BESIDE <= width) {
      return [{ x: 0, text: first, from: BESIDE, width: widthOf(first) }, { x: width, text: last, from: width - BESIDE - widthOf(last), width: widthOf(last) }];
    }
  }
  return [];
}

/** Whether a label lies below what covers a part of the row. */
export const isBelow = (label: Label, covered: [number, number] | null): boolean => covered !== null && label.from < covered[1] && label.from + label.width > covered[0];

/** The labels of a span of time that is so many pixels wide: the finest that have room, never fewer than two that nothing covers. `offset` is that of the clock at an instant. */
export function labels(from: number, to: number, width: number, offset: (ms: number) => number = () => 0, covered: [number, number] | null = null): Label[] {
  const [begins, finishes] = [from, Math.max(from, to)];
  const span: Span = { from: begins, to: finishes, offset };
  const xOf = (at: number): number => (finishes > begins ? ((at - begins) / (finishes - begins)) * width : 0);
  let beside: Label[] | null = null;
  const isEnough = (found: Label[] | null): found is Label[] => {
    const free = found?.filter((each) => !isBelow(each, covered)).length ?? 0;
    // Where the row is so short that no step has two beside what covers it, one is read there.
    if (found && found.length >= 2 && free >= 1) beside ??= found;
    return free >= 2;
  };
  // With more marks than this no step has room.
  const most = width / (LETTER + GAP);
  for (const step of STEPS) {
    const found = (finishes - begins) / step > most ? null : laid(even(span, step), xOf, width);
    if (isEnough(found)) return found;
  }
  for (const months of MONTH_STEPS) {
    const found = (finishes - begins) / (months * 28 * DAY) > most ? null : laid(monthly(span, months), xOf, width);
    if (isEnough(found)) return found;
  }
  return beside ?? ends(span, width);
}

/** A sign at `x`, in a row, with its words where they have room. */
export interface Sign<T> { x: number; row: number; text: string; width: number; isSaid: boolean; of: T }

/** How wide a sign itself is, and how far right of its middle its words begin. */
const SIGN = 9;
export const WORDS = 7;

/** Signs with words in so many rows: each stands in the first row that is free, from where down no words are crossed; a sign that has no room is left away. */
export function signs<T>(all: { x: number; text: string; of: T }[], width: number, rows: number): Sign<T>[] {
  const free = Array.from({ length: rows }, () => -Infinity);
  const placed: Sign<T>[] = [];
  for (const { x, text, of } of all.toSorted((a, b) => a.x - b.x)) {
    const row = free.findIndex((_, at) => free.slice(at).every((until) => x - SIGN / 2 >= until));
    if (row < 0 || x < SIGN / 2 || x + SIGN / 2 > width) continue;
    const wide = widthOf(text);
    const isSaid = x + WORDS + wide <= width;
    placed.push({ x, row, text, width: wide, isSaid, of });
    free[row] = isSaid ? x + WORDS + wide + GAP : x + SIGN;
  }
  return placed;
}

/** How long ago something was, in words. */
export function agoText(ms: number): string {
  const say = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'} ago`;
  if (ms < 90 * SECOND) return say(Math.max(0, Math.round(ms / SECOND)), 'second');
  if (ms < 90 * MINUTE) return say(Math.round(ms / MINUTE), 'minute');
  if (ms < 10 * HOUR) return say(Math.round((2 * ms) / HOUR) / 2, 'hour');
  return ms < 48 * HOUR ? say(Math.round(ms / HOUR), 'hour') : say(Math.round(ms / DAY), 'day');
}
