// What a face is drawn from, of whoever did something: the head by who thought, the ring by what was worn, the features that its source chose.
import { chosenOf, headOf, type Chosen, type Head } from './face.ts';
import { all } from './grid.ts';
import type { Report, Space } from './wire.ts';

const chosen = new WeakMap<Space, Map<string, Chosen>>();

/** What the sources of beings chose of their faces, in a tree. */
function chosenIn(tree: Space): Map<string, Chosen> {
  const before = chosen.get(tree);
  if (before) return before;
  const found = new Map(all(tree).flatMap((space) => (space.beings ?? []).map((being): [string, Chosen] => [being.name, chosenOf(being.qualities)])));
  chosen.set(tree, found);
  return found;
}

export const faceOf = (report: Pick<Report, 'being' | 'cognition' | 'driver' | 'stack'>, tree: Space | null): { head: Head; stack: string[]; chosen: Chosen } =>
  ({ head: headOf(report.cognition, !!report.driver), stack: report.stack, chosen: (tree && chosenIn(tree).get(report.being)) ?? {} });
