// The bar of the past: where a point lies on it, which point lies where, and what is written beside it.
import { isAsked, isFailed, isRefused } from './moment.ts';
import type { Bucket, Due, Pulse, Report, Timeline } from './wire.ts';
import { instantAt } from './zone.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** The day of an instant as the world has it: `Mon 2 March`. */
export function dateText(iso: string): string {
  const [year = NaN, month = NaN, day = NaN] = iso.slice(0, 10).split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return Number.isNaN(date.getTime()) ? '' : `${DAYS[date.getUTCDay()]} ${day} ${MONTHS[month - 1]}`;
}

/** An instant in words: `Mon 2 March 09:14`. */
export const instantText = (iso: string): string => `${dateText(iso)} ${iso.slice(11, 16)}`;

/** A window of the past: the frames from one seq up to another, that one not among them. */
export interface Window { from: number; to: number }

/** Where a point lies, from 0 to 1: parts have equal time, and within one its frames lie evenly. `from` is the seq at which the parts begin. */
export function placeOf(buckets: Bucket[], seq: number, from = 0): number {
  const index = buckets.findIndex((bucket) => bucket.seq >= seq);
  const bucket = buckets[index];
  if (!bucket) return 1;
  const before = buckets[index - 1]?.seq ?? from;
  const share = bucket.seq > before ? Math.max(0, seq - before) / (bucket.seq - before) : 1;
  return (index + share) / buckets.length;
}

/** The point at a place from 0 to 1; null at the very end, which is now, unless the parts end before it. */
export function pointAt(buckets: Bucket[], place: number, from = 0, isToNow = true): number | null {
  const index = Math.min(Math.floor(Math.max(0, place) * buckets.length), isToNow ? Infinity : buckets.length - 1);
  const bucket = buckets[index];
  const last = buckets.at(-1);
  if (!bucket || !last || (isToNow && bucket.seq >= last.seq)) return null;
  const before = buckets[index - 1]?.seq ?? from;
  const share = Math.min(1, place * buckets.length - index);
  return Math.max(1, Math.round(before + share * (bucket.seq - before)));
}

/** As few frames as a window may have. */
const FEWEST = 8;

/** A window with other ends, within so many frames; null where that is all of them. */
function within({ from, to }: Window, end: number): Window | null {
  const length = Math.max(Math.min(FEWEST, end), to - from);
  const begins = Math.max(0, Math.min(from, end - length));
  return length >= end ? null : { from: begins, to: begins + length };
}

/** The window nearer around a place of the one that the parts show (the factor is less than 1), or farther: what lies there stays in it. */
export function zoomed(buckets: Bucket[], window: Window | null, place: number, factor: number, end: number): Window | null {
  const { from, to } = window ?? { from: 0, to: end };
  const point = (at: number): number => (at <= 0 ? from : at >= 1 ? to : (pointAt(buckets, at, from, false) ?? to));
  if (factor < 1) {
    const [begins, ends, middle] = [point(place * (1 - factor)), point(1 - (1 - place) * (1 - factor)), point(place)];
    // Where all of it lies in one part no time parts it any more: then it is halved by count.
    const isFiner = ends - begins < to - from;
    const near = isFiner ? { from: begins, to: ends } : { from: Math.round(middle - (middle - from) * factor), to: Math.round(middle + (to - middle) * factor) };
    const lack = FEWEST - (near.to - near.from);
    return within(lack > 0 ? { from: Math.min(near.from, middle - FEWEST / 2), to: near.to } : near, end);
  }
  const middle = point(place);
  return within({ from: Math.floor(middle - (middle - from) * factor), to: Math.ceil(middle + (to - middle) * factor) }, end);
}

/** The window moved by so much of itself, on or back. */
export function panned(window: Window, by: number, end: number): Window | null {
  const shift = Math.round(by * (window.to - window.from));
  return within({ from: window.from + shift, to: window.to + shift }, end);
}

/** The window moved as far as it must be so that a point lies in it. */
export function follows(window: Window | null, seq: number, end: number): Window | null {
  if (!window || (seq >= window.from && seq <= window.to)) return window;
  const half = Math.floor((window.to - window.from) / 2);
  return within({ from: seq - half, to: seq - half + (window.to - window.from) }, end);
}

/** The window as long as it is, up to the end of the past. */
export const latest = (window: Window, end: number): Window | null => within({ from: end - (window.to - window.from), to: end }, end);

/** Where an instant lies between two others, from 0 to 1. */
export function shareOf(time: string, began: string, ended: string): number {
  const [at, first, last] = [time, began, ended].map((iso) => new Date(iso).getTime()) as [number, number, number];
  return last > first ? Math.max(0, Math.min(1, (at - first) / (last - first))) : 0;
}

/** The time that a bar shows, in milliseconds: its parts have equal time. */
export function spanOf({ buckets, began, ended }: Timeline): { from: number; to: number } {
  const [first, second] = [buckets[0]?.time ?? began, buckets[1]?.time].map((iso) => Date.parse(iso ?? ''));
  const from = Number.isNaN(first) ? 0 : (first as number);
  const last = Date.parse(ended);
  return { from, to: second !== undefined && second > from ? from + (second - from) * buckets.length : Math.max(from, Number.isNaN(last) ? from : last) };
}

/** What lies ahead of an instant, the next of each kind: who does the same every minute says it once. Names stand without their namespace. */
export function comingOf(due: Due[], after: number): Due[] {
  const said = new Set<string>();
  return due.flatMap((each) => {
    const what = each.what.slice(each.what.lastIndexOf(':') + 1).replaceAll('-', ' ');
    if (each.at <= after || said.has(what)) return [];
    said.add(what);
    return [{ ...each, what }];
  });
}

/** How dates can be cut, the coarsest first, and how what begins there is written. */
const UNITS: [number, (iso: string) => string][] = [
  [4, (iso) => iso.slice(0, 4)],
  [7, (iso) => MONTHS[Number(iso.slice(5, 7)) - 1] ?? ''],
  [10, (iso) => `${Number(iso.slice(8, 10))} ${(MONTHS[Number(iso.slice(5, 7)) - 1] ?? '').slice(0, 3)}`],
  [13, (iso) => `${iso.slice(11, 13)}:00`],
  [15, (iso) => `${iso.slice(11, 15)}0`],
  [16, (iso) => iso.slice(11, 16)],
];

/** The dates beside the bar: the finest that there is room for, each where it begins. */
export function ticks(buckets: Bucket[], most: number): { place: number; text: string }[] {
  let found: { place: number; text: string }[] = [];
  for (const [length, text] of UNITS) {
    const begins = buckets.flatMap((bucket, index) =>
      index > 0 && bucket.time.slice(0, length) !== buckets[index - 1]?.time.slice(0, length) ? [{ place: index / buckets.length, text: text(bucket.time) }] : []);
    if (begins.length > most) break;
    if (begins.length > found.length) found = begins;
  }
  return found;
}

/** A moment as the bar counts it. A model that is only asked is none yet. */
export type Happened = { seq: number; time: string } & ({ closing: Report['closing']; reason?: { code: string } | null; many?: undefined } | { many: Many });
/** Several as one: the first seq of them, and how many there were. */
export interface Many { from: number; moments: number; refused: number; failed: number }

/** What a pulse counts, as one that happened: the page draws no finer. */
export const ofPulse = ({ seq, time, moments, refused, failed }: Pulse, from: number): Happened => ({ seq: seq - 1, time, many: { from, moments, refused, failed } });

/** How much of what happened lies behind a seq: of several their share, since they lie evenly. */
function countOf(one: Happened, end: number): { moments: number; refused: number; failed: number } {
  if (!one.many) return { moments: isAsked(one) ? 0 : 1, refused: isRefused(one) ? 1 : 0, failed: isFailed(one) ? 1 : 0 };
  const { seq, many } = one;
  const share = Math.min(1, (seq + 1 - end) / (seq + 1 - many.from));
  return { moments: Math.round(many.moments * share), refused: Math.round(many.refused * share), failed: Math.round(many.failed * share) };
}

/** So many parts as one each, from the first on. */
function joined(buckets: Bucket[], many: number): Bucket[] {
  return buckets.reduce<Bucket[]>((all, { time, seq, moments, refused, failed }, index) => {
    const last = all.at(-1);
    if (!last || index % many === 0) all.push({ time, seq, moments, refused, failed });
    else Object.assign(last, { seq, moments: last.moments + moments, refused: last.refused + refused, failed: last.failed + failed });
    return all;
  }, []);
}

/** The bar with what has happened since: parts of the same length are added at its end, and joined where there would be twice as many as wanted. */
export function grown(line: Timeline, happened: Happened[], wanted: number): Timeline {
  const end = line.buckets.at(-1)?.seq ?? 0;
  const since = happened.filter(({ seq }) => seq >= end);
  const [first, last] = [since[0], since.at(-1)];
  if (!first || !last) return line;
  let buckets = line.buckets.length > 0 ? joined(line.buckets, 1) : [{ time: first.time, seq: end, moments: 0, refused: 0, failed: 0 }];
  const began = Date.parse(buckets[0]?.time ?? first.time);
  let width = Math.max(1, Date.parse(buckets[1]?.time ?? '') - began || 1);
  for (const one of since) {
    const { seq, time } = one;
    let index = Math.max(0, Math.floor((Date.parse(time) - began) / width));
    if (index >= 2 * wanted) {
      const many = Math.ceil((index + 1) / wanted);
      [buckets, width, index] = [joined(buckets, many), width * many, Math.floor(index / many)];
    }
    while (buckets.length <= index) buckets.push({ time: instantAt(began + buckets.length * width, time), seq: buckets.at(-1)?.seq ?? seq, moments: 0, refused: 0, failed: 0 });
    const bucket = buckets[index];
    if (!bucket) continue;
    bucket.seq = seq + 1;
    const { moments, refused, failed } = countOf(one, end);
    bucket.moments += moments;
    bucket.refused += refused;
    bucket.failed += failed;
  }
  // Where nothing happened the world is still the one before.
  let reached = 0;
  for (const bucket of buckets) bucket.seq = reached = Math.max(reached, bucket.seq);
  return { began: line.began || first.time, ended: last.time, buckets };
}

/** A window that ends at now, and its bar, without the parts that it has left behind: it stays about as long as it was. */
export function slid(line: Timeline, window: Window): { line: Timeline; window: Window } {
  const end = line.buckets.at(-1)?.seq ?? window.to;
  const from = end - (window.to - window.from);
  const left = line.buckets.findIndex((bucket) => bucket.seq > from);
  const behind = line.buckets[left - 1];
  if (!behind || left < 1) return { line, window: { from: window.from, to: end } };
  const buckets = line.buckets.slice(left);
  return { line: { ...line, began: buckets[0]?.time ?? line.began, buckets }, window: { from: behind.seq, to: end } };
}

/** An hour such as `14:30` as the last time of the world's clock that had it, at or before an instant; null where the text is none. */
export function hourPoint(text: string, now: string): string | null {
  const [, hour, minute, second = '00'] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined || now === '') return null;
  const clock = `${hour.padStart(2, '0')}:${minute}:${second}`;
  const day = new Date(`${now.slice(0, 10)}T00:00:00Z`);
  if (clock > now.slice(11, 19)) day.setUTCDate(day.getUTCDate() - 1);
  return `${day.toISOString().slice(0, 10)}T${clock}`;
}

/** Whether a text can be a point of the past. */
export const isPoint = (text: string): boolean => /^(#?\d+\+?|~\d+\w+|@[^\s/]+\/\d+\+?|\d{4}-\d\d-\d\d.*|([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?|when\b.+)$/.test(text.trim());
