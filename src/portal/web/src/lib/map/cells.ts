// Very many on the map: how many stand in each square of it. Squares lie at the same points of the plan for everybody and for ever.
import type { Points } from './throng.ts';

/** The squares around all points: the first lies `left` and `top` squares from the origin, the others follow row by row. */
export interface Cells { side: number; left: number; top: number; columns: number; rows: number; counts: Uint32Array; most: number }

/** About so many pixels a square is wide. */
const SIDE = 24;
/** Shades of squares, from few to many. */
export const SHADES = 6;

/** How wide squares of the plan are where a unit of it has so many pixels: by steps, so that one who looks from a little nearer sees the same squares. */
export const sideAt = (k: number): number => SIDE / 2 ** (Math.round(2 * Math.log2(k)) / 2);

/** Counts points by squares; whoever stands nowhere is not counted. */
export function binned({ x, y }: Pick<Points, 'x' | 'y'>, side: number): Cells {
  const { left, top, columns, rows } = around(x, y, side);
  const counts = new Uint32Array(columns * rows);
  let most = 0;
  for (let at = 0; at < x.length; at += 1) {
    const cell = (Math.floor((y[at] ?? NaN) / side) - top) * columns + Math.floor((x[at] ?? NaN) / side) - left;
    // A point that is nowhere has no cell.
    if (!(cell >= 0)) continue;
    const count = (counts[cell] ?? 0) + 1;
    counts[cell] = count;
    if (count > most) most = count;
  }
  return { side, left, top, columns, rows, counts, most };
}

/** The squares that hold all points. */
function around(x: Float32Array, y: Float32Array, side: number): Pick<Cells, 'left' | 'top' | 'columns' | 'rows'> {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < x.length; at += 1) {
    const [px, py] = [x[at] ?? NaN, y[at] ?? NaN];
    if (px < left) left = px;
    if (px > right) right = px;
    if (py < top) top = py;
    if (py > bottom) bottom = py;
  }
  if (left > right) return { left: 0, top: 0, columns: 0, rows: 0 };
  [left, top] = [Math.floor(left / side), Math.floor(top / side)];
  return { left, top, columns: Math.floor(right / side) - left + 1, rows: Math.floor(bottom / side) - top + 1 };
}

/** How many stand in the square around a point of the plan. */
export function countAt({ side, left, top, columns, rows, counts }: Cells, x: number, y: number): number {
  const [column, row] = [Math.floor(x / side) - left, Math.floor(y / side) - top];
  return column < 0 || row < 0 || column >= columns || row >= rows ? 0 : (counts[row * columns + column] ?? 0);
}

/** The shade of a square, from 0 to one below `SHADES`: a few more are seen among few, not among many. */
export const shadeOf = (count: number, most: number): number => Math.min(SHADES - 1, Math.floor(Math.sqrt(count / Math.max(1, most)) * SHADES));
