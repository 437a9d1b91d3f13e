// The numbers of a world: its first measures and the sentence on its state, all of one seq.
import { nearest } from './exact.ts';
import type { Measure, Numbers, WorldInfo } from './wire.ts';

/** So many measures that are numbers stand in the strip. */
const FIRST = 3;

const isNumber = ({ now }: Measure): boolean => Number.isFinite(nearest(now) ?? Number.NaN);

/** The numbers that `/api/world` tells; none for those who may not see them. */
export function numbersOf({ measured, measures, now, at, time }: WorldInfo): Numbers | null {
  if (measured === undefined || measured === null || !measures) return null;
  return { seq: measured, at, time, measures: measures.filter(isNumber).slice(0, FIRST), now: now ?? null };
}

/** The newer of two, whole: never a part of each. */
export const newerOf = (one: Numbers | null, other: Numbers | null): Numbers | null => (one && other ? (other.seq > one.seq ? other : one) : (one ?? other));
