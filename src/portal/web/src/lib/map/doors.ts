// The door of a place: a gap in its wall with a leaf, on the side that faces the way to the middle of what is free around it.
import type { PlacePlan } from './plan.ts';
import type { Box } from './box.ts';

/** A door begins at a point of the outer edge and is turned: the wall runs along x, and y leads in. Its box is all that it takes up. */
export interface Door { x: number; y: number; turn: number; length: number; thick: number; box: Box }

type Side = 'top' | 'right' | 'bottom' | 'left';

/** A door is this wide where its wall is long enough. */
const LENGTH = 30;
/** The leaf reaches this far in: less than any floor begins, and less than a title at the top. */
const DEPTH = 11;
/** What a door leaves free of a wall at its ends, and beside a title. */
const CORNER = 14;
const TITLE = 38;
/** A strip above the places of a place that is lower than this is no room to walk to. */
const STRIP = 30;
/** How thick walls and fences are drawn; a room has a high wall at its back. */
export const WALL = { wall: 5, back: 13, fence: 4 };

/** The middle of what a place has free of other places: of the part above them, else of its floor. */
export function freeMiddle({ floor, inner }: Pick<PlacePlan, 'floor' | 'inner'>): { x: number; y: number } {
  const top = Math.min(...inner.map(({ box }) => box.y), floor.y + floor.h);
  const height = top - floor.y >= STRIP ? top - floor.y : floor.h;
  return { x: floor.x + floor.w / 2, y: floor.y + height / 2 };
}

/** The door of a place in another; none where it has no edge or no wall that is long enough. */
export function doorOf(place: Pick<PlacePlan, 'box' | 'decor' | 'inner'>, outer: Pick<PlacePlan, 'floor' | 'inner'>): Door | null {
  const { box, decor, inner } = place;
  if (decor.edge === 'open') return null;
  const middle = freeMiddle(outer);
  const side = sideTo(box, middle);
  const isUpright = side === 'left' || side === 'right';
  const [from, to] = isUpright ? [box.y + TITLE, box.y + box.h - CORNER] : [box.x + CORNER, box.x + box.w - CORNER];
  const length = Math.min(LENGTH, to - from);
  if (length < DEPTH) return null;
  const start = Math.max(from, Math.min(to - length, (isUpright ? middle.y : middle.x) - length / 2));
  const thick = decor.edge === 'fence' ? WALL.fence : side === 'top' && inner.length === 0 ? WALL.back : WALL.wall;
  return { ...turned(box, side, start, length), length, thick };
}

/** The side of a box that one leaves by on the way to a point; whoever is there already leaves by the bottom. */
function sideTo(box: Box, { x, y }: { x: number; y: number }): Side {
  const [across, down] = [(x - box.x) / box.w - 0.5, (y - box.y) / box.h - 0.5];
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? 'right' : 'left';
  return down < 0 ? 'top' : 'bottom';
}

function turned(box: Box, side: Side, start: number, length: number): Pick<Door, 'x' | 'y' | 'turn' | 'box'> {
  const [right, bottom, end] = [box.x + box.w, box.y + box.h, start + length];
  switch (side) {
    case 'top': return { x: start, y: box.y, turn: 0, box: { x: start, y: box.y, w: length, h: DEPTH } };
    case 'right': return { x: right, y: start, turn: 90, box: { x: right - DEPTH, y: start, w: DEPTH, h: length } };
    case 'bottom': return { x: end, y: bottom, turn: 180, box: { x: start, y: bottom - DEPTH, w: length, h: DEPTH } };
    case 'left': return { x: box.x, y: end, turn: -90, box: { x: box.x, y: start, w: DEPTH, h: length } };
  }
}

/** How a leaf stands: as wide as its door, and open as far as it may reach in. */
export const leafOf = ({ length }: Door): string => `M1 2L${Math.sqrt(length ** 2 - (DEPTH - 3) ** 2) - 1} ${DEPTH - 1}`;
