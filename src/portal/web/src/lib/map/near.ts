// The one of many that a point means.

/** The nearest of many to a point, if one is as near as `reach`; -1 where none is. */
export function nearestOf(count: number, x: (at: number) => number, y: (at: number) => number, to: { x: number; y: number }, reach: number): number {
  let best = reach ** 2;
  let found = -1;
  for (let at = 0; at < count; at += 1) {
    const far = (x(at) - to.x) ** 2 + (y(at) - to.y) ** 2;
    if (far < best) [best, found] = [far, at];
  }
  return found;
}
