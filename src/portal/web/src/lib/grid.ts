// Where things stand on a grid, and where a key leads.
import type { Coords, Json, JsonMap, MatterGlance, Space } from './wire.ts';
import { isMap } from './value.ts';

/** A cell of a grid; a flat one has no third axis. */
type Cell = Pick<Coords, 'x' | 'y'> & Partial<Coords>;

/** The step that a key means; y grows downwards, as the grid is drawn. */
export function stepOf(key: string): [number, number] | null {
  const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  return steps[key] ?? null;
}

/** A cell one step on, or null where the grid ends. */
export function stepped(from: Cell, step: [number, number], size: Cell): Coords | null {
  const to = { x: from.x + step[0], y: from.y + step[1], z: from.z ?? 0 };
  return to.x >= 0 && to.y >= 0 && to.x < size.x && to.y < size.y ? to : null;
}

/** The cell in which a point of the drawing lies, or null beside the grid. */
export function cellAt(point: { x: number; y: number }, side: number, size: Cell): Coords | null {
  const to = { x: Math.floor(point.x / side), y: Math.floor(point.y / side), z: 0 };
  return to.x >= 0 && to.y >= 0 && to.x < size.x && to.y < size.y ? to : null;
}

/** Places of `count` discs in one cell: one near the middle, more in a ring, all within it. Offsets and radius in cells. */
export function places(count: number): { x: number; y: number; r: number }[] {
  // Alone it leaves room for a name below.
  if (count <= 1) return [{ x: 0.5, y: 0.42, r: 0.27 }];
  const r = count <= 4 ? 0.22 : Math.max(0.09, 0.62 / count);
  const ring = 0.5 - r - 0.04;
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI - (count === 4 ? (3 * Math.PI) / 4 : Math.PI / 2);
    return { x: 0.5 + ring * Math.cos(angle), y: 0.5 + ring * Math.sin(angle), r };
  });
}

/** The space with an address, in a tree. */
export function find(tree: Space | null, address: string): Space | null {
  if (!tree) return null;
  if (tree.address === address) return tree;
  for (const space of tree.spaces ?? []) {
    const found = find(space, address);
    if (found) return found;
  }
  return null;
}

/** The space in which a being stands, by its name. */
export function whereIs(tree: Space | null, name: string): Space | null {
  if (!tree) return null;
  if ((tree.beings ?? []).some((being) => being.name === name)) return tree;
  for (const space of tree.spaces ?? []) {
    const found = whereIs(space, name);
    if (found) return found;
  }
  return null;
}

/** All spaces, the root first. */
export function all(tree: Space | null): Space[] {
  return tree ? [tree, ...(tree.spaces ?? []).flatMap(all)] : [];
}

/** What a thing holds, each with its address; matter inside matter is told by its name alone. */
export function heldIn(thing: JsonMap, address: string): { name: string; address: string }[] {
  const holds = Array.isArray(thing['holds']) ? thing['holds'] : [];
  const own = typeof thing['address'] === 'string' ? thing['address'] : address;
  const under = (name: string): string => `${own === '/' ? '' : own}/${name}`;
  return holds.flatMap((each: Json) => {
    if (typeof each === 'string') return [{ name: each, address: under(each) }];
    const name = isMap(each) && typeof each['name'] === 'string' ? each['name'] : null;
    return name !== null && isMap(each) ? [{ name, address: typeof each['address'] === 'string' ? each['address'] : under(name) }] : [];
  });
}

/** Of what holds a piece of matter, its address; null for a being or a space that stands by itself. */
export function holderOf(address: string): string | null {
  const end = address.lastIndexOf('/');
  if (end < 0) return null;
  return end === 0 ? '/' : address.slice(0, end);
}

/** Whether a thing is matter that somebody may publish. */
export const isDraft = (thing: JsonMap): boolean => thing['type'] === 'draft' && isMap(thing['content']) && typeof thing['content']['hash'] === 'string';

/** How much a piece of matter holds, where it is told. */
export const holdsOf = (matter: MatterGlance): number => matter.holds;
