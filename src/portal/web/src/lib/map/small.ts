// A place that is drawn too small for those in it: it shows its name, how many there are, and what they wear.
import type { PlacePlan } from './plan.ts';

/** Nobody reads letters of fewer pixels. */
export const LETTERS_LEAST = 11;
/** A place of less than so many pixels shows nobody by themselves. */
const SMALL = 90;
/** Nor one that is so flat that nobody could be named in it. */
const FLAT = 44;

export const isSmall = ({ box, depth }: PlacePlan, k: number): boolean => depth > 0 && (box.w * k < SMALL || box.h * k < FLAT);

/** The places of a plan that are drawn small, and all in them. */
export function smallIn(plan: PlacePlan, k: number, around = false): string[] {
  const small = around || isSmall(plan, k);
  return [...(small ? [plan.space.address] : []), ...plan.inner.flatMap((inner) => smallIn(inner, k, small))];
}

/** The roles of those who are in a place and in all places in it, each with how many wear it first. */
export function wornBy({ space, inner }: PlacePlan, all = new Map<string, number>()): Map<string, number> {
  for (const { wearing } of space.beings) all.set(wearing[0] ?? '', (all.get(wearing[0] ?? '') ?? 0) + 1);
  for (const each of inner) wornBy(each, all);
  return all;
}

/** How many are in a place and in all places in it, also those whom nobody named. */
export const countIn = ({ space, inner }: PlacePlan): number => inner.reduce((sum, each) => sum + countIn(each), Math.max(space.count ?? 0, space.beings.length));

/** A role's part of a bar. */
export interface Share { role: string; from: number; length: number }

/** A bar as long as `length`, parted by how many wear which role, the most first. */
export function sharesOf(worn: ReadonlyMap<string, number>, length: number): Share[] {
  const all = [...worn.values()].reduce((sum, count) => sum + count, 0);
  let from = 0;
  return [...worn].toSorted(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)).map(([role, count]) => {
    const share = { role, from, length: (count / all) * length };
    from += share.length;
    return share;
  });
}
