// Two worlds, or two points of one, at the instant that the page shows.
import { api } from './api.ts';
import { actsSince } from './own.ts';
import type { Diff, Report } from './wire.ts';
import { worldAt } from './worlds.ts';

/** So many acts of an operator are looked through. */
const ACTS_MAX = 200;

/** What is read of both: the points at which they stand, and what differs there. */
export interface Sides {
  /** The points, as the server takes them. */
  was: string; is: string;
  diff: Diff;
  /** How both differ at their ends. */
  ends: Diff;
  /** The one instant of both; null where each stands at one of its own. */
  time: string | null;
  /** Whether both are still one world there. */
  isOne: boolean;
  /** Since when the other has not gone on, where it has not come to the instant. */
  late: string | null;
  /** When they part, in milliseconds. */
  parts: number | null;
  /** What the operator of each did since they parted. */
  acts: { here: Report[]; there: Report[] };
}

export const NOBODY = { here: [], there: [] };
const earlier = (one: string, other: string): string => (Date.parse(one) <= Date.parse(other) ? one : other);

/** Two points that were named. */
export async function pointsApart(was: string, is: string, path: string | null): Promise<Sides> {
  const diff = await api.diff(was, is, path);
  const acts = path === null ? NOBODY : await actsOf(diff, path);
  return { was, is, diff, ends: diff, time: null, isOne: false, late: null, parts: partsOf(diff), acts };
}

const partsOf = ({ apart }: Diff): number | null => {
  const times = [apart?.one, apart?.other].flatMap((report) => (report ? [report.at] : []));
  return times.length === 0 ? null : Math.min(...times);
};

async function actsOf({ apart }: Diff, path: string): Promise<Sides['acts']> {
  if (!apart) return NOBODY;
  const [here, there] = await Promise.all(['', worldAt(path)].map(async (base) => {
    try {
      const { operator } = await api.of(base).world('now');
      return operator ? actsSince((await api.of(base).moments({ being: operator.replace(/^@/, '') }, ACTS_MAX)).moments, apart.seq) : [];
    } catch {
      // The page tells all differences alike to those who may not read the moments there.
      return [];
    }
  }));
  return { here: here ?? [], there: there ?? [] };
}

/** Both worlds at one instant: where the dock stands, or the newest that both have lived. For the past the page does not ask again how they end. */
export async function together(at: number | null, path: string, known: Sides | null = null): Promise<Sides> {
  const kept = at === null ? null : known;
  const ends = kept?.ends ?? (await api.diff('now', 'now', path));
  const [parts, acts] = [partsOf(ends), kept?.acts ?? (await actsOf(ends, path))];
  const apart = ends.apart ?? null;
  if (at !== null) {
    const { time } = await api.worldAt(String(at));
    if (!apart || at <= apart.seq) return { was: String(at), is: String(at), diff: { ...ends, differences: [], more: 0 }, ends, time, isOne: true, late: null, parts, acts };
    const late = Date.parse(time) > Date.parse(ends.is.time) ? ends.is.time : null;
    const is = late === null ? time : 'now';
    return { was: String(at), is, diff: await api.diff(String(at), is, path), ends, time, isOne: false, late, parts, acts };
  }
  const time = earlier(ends.was.time, ends.is.time);
  const isEnd = (end: string): boolean => Date.parse(end) === Date.parse(time);
  const [was, is] = [ends.was.time, ends.is.time].map((end) => (isEnd(end) ? 'now' : time)) as [string, string];
  return { was, is, diff: was === 'now' && is === 'now' ? ends : await api.diff(was, is, path), ends, time, isOne: apart === null, late: null, parts, acts };
}
