// The steps that lead to where one is, in the room that there is for them.
export interface Crumb { text: string; href: string | null }

/** What stands between two steps, and how wide the … is behind which the first are folded. */
const BETWEEN = 18;
const FOLD = 28 + BETWEEN;

/** How wide the whole way is. */
export const wayWidth = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + BETWEEN, -BETWEEN);

/** How many of the first steps are folded, by how wide each is; −1 where none is and the last is cut. The last always stands. */
export function foldedCrumbs(widths: readonly number[], room: number): number {
  if (wayWidth(widths) <= room) return 0;
  const first = widths.findIndex((_, at) => at > 0 && FOLD + wayWidth(widths.slice(at)) <= room);
  if (first > 0) return first;
  return widths.length > 1 ? widths.length - 1 : -1;
}
