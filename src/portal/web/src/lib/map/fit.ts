// The view of a place: all of it, or its beginning where all of it would be too small. Nothing beside the world shows where the world could.
import type { Box } from './box.ts';

export interface View { x: number; y: number; k: number }

/** From nearer nobody looks by themselves. */
const NEAREST = 2.2;
/** So much of what is beside the world may show. */
const MARGIN = 10;

/** The view of a place of a world in a room of the window with some air around it. A place that would be drawn smaller than `least` begins at the left instead. */
export function fitted(box: Box, world: Box, room: Box, air: number, least = 0): View {
  const high = Math.min(NEAREST, (room.h - 2 * air) / box.h);
  const whole = Math.min(high, (room.w - 2 * air) / box.w);
  const k = Math.max(whole, Math.min(high, least));
  const left = k > whole ? room.x + air - box.x * k : middled(box.x, box.w, room.x, room.w, k);
  return { k, x: within(left, world.x, world.w, room.x, room.w, k), y: within(middled(box.y, box.h, room.y, room.h, k), world.y, world.h, room.y, room.h, k) };
}

const middled = (from: number, length: number, at: number, room: number, k: number): number => at + room / 2 - (from + length / 2) * k;

/** Shifts a view so that the world fills the room as far as it can; a smaller one lies in the middle. */
function within(at: number, from: number, length: number, start: number, room: number, k: number): number {
  if (length * k + 2 * MARGIN < room) return middled(from, length, start, room, k);
  return Math.max(start + room - MARGIN - (from + length) * k, Math.min(start + MARGIN - from * k, at));
}
