// The bar of the past: where a point lies on it, which point lies where, and what is written beside it.
import type { Bucket } from './wire.ts';

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

/** Where a point lies, from 0 to 1: parts have equal time, and within one its frames lie evenly. */
export function placeOf(buckets: Bucket[], seq: number): number {
  const index = buckets.findIndex((bucket) => bucket.seq >= seq);
  const bucket = buckets[index];
  if (!bucket) return 1;
  const before = buckets[index - 1]?.seq ?? 0;
  const share = bucket.seq > before ? Math.max(0, seq - before) / (bucket.seq - before) : 1;
  return (index + share) / buckets.length;
}

/** The point at a place from 0 to 1; null at the very end, which is now. */
export function pointAt(buckets: Bucket[], place: number): number | null {
  const index = Math.floor(Math.max(0, place) * buckets.length);
  const bucket = buckets[index];
  const last = buckets.at(-1);
  if (!bucket || !last || bucket.seq >= last.seq) return null;
  const before = buckets[index - 1]?.seq ?? 0;
  const share = place * buckets.length - index;
  return Math.max(1, Math.round(before + share * (bucket.seq - before)));
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

/** The outline of how much happened, in a drawing one part wide for each bucket and 100 high: few moments are seen beside many. */
export function outline(buckets: Bucket[]): string {
  const most = Math.max(1, ...buckets.map((bucket) => bucket.moments));
  const height = (bucket: Bucket): number => (bucket.moments === 0 ? 0 : Math.round(8 + (92 * Math.log1p(bucket.moments)) / Math.log1p(most)));
  return buckets.map((bucket, index) => { const high = height(bucket); return high === 0 ? '' : `M${index} 100v-${high}h1v${high}z`; }).join('');
}
