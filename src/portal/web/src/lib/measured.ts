// What is measured, over time: points by seq, thinned as they grow; what an hour changed; and the sentence that counts make where a source says none.
import { nearest } from './exact.ts';
import { isOff } from './face.ts';
import { all } from './grid.ts';
import { readable, titled } from './map/caption.ts';
import type { Measure, MeasuresThen, Space } from './wire.ts';
import { count, isolated } from './words.ts';

/** One instant: the values of all measures by their names. */
export interface Point { seq: number; time: number; values: Record<string, number | null>; /** Those of a world that it is compared with. */ others?: Record<string, number | null> }

const HOUR_MS = 3_600_000;

export const pointsOf = ({ seqs, times, series }: MeasuresThen): Point[] =>
  seqs.map((seq, index) => ({ seq, time: Date.parse(times[index] ?? ''), values: Object.fromEntries(series.map(({ name, values }) => [name, nearest(values[index])])) }));

/** The points of two worlds in one order of time. A point of the other alone has no values of this world, and its seq is 0. */
export function beside(one: Point[], other: Point[]): Point[] {
  const by = new Map(one.map((point) => [point.time, { ...point, others: {} } as Point]));
  for (const { time, values } of other) by.set(time, { ...(by.get(time) ?? { seq: 0, time, values: {} }), others: values });
  return [...by.values()].toSorted((a, b) => a.time - b.time);
}

/** What people call a measure. */
export const titleOf = ({ name, title }: Measure): string => (title && title !== name ? title : readable(name).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()));

/** Points with others added, one for each seq and in their order; where there come to be too many, every second goes, and never the ends. */
export function joined(points: Point[], more: Point[], most: number): Point[] {
  const by = new Map([...points, ...more].map((point) => [point.seq, point]));
  let kept = [...by.values()].toSorted((one, other) => one.seq - other.seq);
  while (kept.length > most) kept = kept.filter((_, index) => index % 2 === 0 || index === kept.length - 1);
  return kept;
}

/** How much a measure changed within the last hour before an instant; null where nothing is known of an hour ago. */
export function hourly(points: Point[], name: string, now: number, time: number): number | null {
  const then = points.findLast((point) => point.time <= time - HOUR_MS && typeof point.values[name] === 'number')?.values[name];
  return typeof then === 'number' ? now - then : null;
}

/** A line and the area below it, in a box; null where there are not two points. The last is where the dot lies. */
export function sparkOf(values: { at: number; value: number }[], width: number, height: number): { line: string; area: string; x: number; y: number } | null {
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last || last.at <= first.at) return null;
  const numbers = values.map(({ value }) => value);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (at: number): number => Math.round(((at - first.at) / (last.at - first.at)) * width * 10) / 10;
  // What never changes lies low, as a floor.
  const y = (value: number): number => Math.round((high > low ? height - ((value - low) / (high - low)) * height : height) * 10) / 10;
  const line = values.map(({ at, value }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
  return { line, area: `${line}V${height}H0z`, x: x(last.at), y: y(last.value) };
}

/** A value in few letters: `1,204`, `0.73`, `48.2k`. */
export function valueText(value: number): string {
  const size = Math.abs(value);
  if (size >= 100_000) return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  return value.toLocaleString('en', { maximumFractionDigits: size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2 });
}

/** The state of a world where its source says none: how many are there, which may be more than are named, and how many of them rest. */
export function countsText(space: Space, living = 0): string {
  const beings = new Map(all(space).flatMap((each) => (each.beings ?? []).map((being) => [being.name, being])));
  const many = Math.max(beings.size, space.count ?? 0, living);
  const off = [...beings.values()].filter(({ wearing }) => wearing[0] !== undefined && isOff(wearing[0])).length;
  const thinking = [...beings.values()].filter(({ thinks }) => thinks).length;
  return [many === 0 ? 'Nobody is here' : count(many, 'being'), off > 0 ? `${off} off duty` : '', thinking > 0 ? `${thinking} thinking` : ''].filter(Boolean).join(', ') + '.';
}

/** So many are named at most. */
const NAMES_MAX = 4;

/** Who is right in a place, the first few by name; where nobody is, how many are in the places within. */
export function whoText(space: Space): string {
  const names = space.beings.map((being) => isolated(titled(being.name)));
  const [first, ...rest] = names;
  if (names.length > NAMES_MAX) return `${names.slice(0, NAMES_MAX - 1).join(', ')} and ${names.length - NAMES_MAX + 1} others are here.`;
  if (first) return rest.length === 0 ? `${first} is here.` : `${[first, ...rest.slice(0, -1)].join(', ')} and ${rest.at(-1)} are here.`;
  const within = new Set(all(space).flatMap(({ beings }) => beings.map(({ name }) => name))).size;
  return within === 0 ? 'Nobody is here.' : `${count(within, 'being is', 'beings are')} in the places within.`;
}
