// Where each of many stands: every one has a slot in its place that stays while others come and go, so that a dot does not dance.
import { placesOf, stepped, type PlacePlan } from './plan.ts';

/** Many beings as columns: of each its id, the place where it stands, and its point on the grid of that place, -1 where it has none. */
export interface Columns {
  ids: ArrayLike<number>;
  place: ArrayLike<number>;
  xy: ArrayLike<number>;
  places: { address: string }[];
}

/** The points of all, and how wide each may be drawn; NaN where its place is not drawn. */
export interface Points { x: Float32Array; y: Float32Array; size: Float32Array }

/** Where one of them stands in a view; nothing for nobody. */
export function pointOf(one: number | undefined, points: Points, view: { k: number; x: number; y: number }): { x: number; y: number } | null {
  return one === undefined ? null : { x: (points.x[one] ?? 0) * view.k + view.x, y: (points.y[one] ?? 0) * view.k + view.y };
}

interface Slots { taken: Float64Array }

/** On a grid, where several may stand in a cell, a face has this share of the room that one has. */
const DENSE = 0.45;

/** How wide a face on a grid of so many may be. */
const sizeOn = (grid: NonNullable<PlacePlan['grid']>, many: number): number => Math.min(44, Math.max(grid.cellW * 0.7, Math.sqrt((grid.cellW * grid.columns * grid.cellH * grid.rows) / many) * DENSE));

/** A number from 0 to 1 that an id always has. */
const shareOf = (id: number, salt: number): number => {
  let hash = Math.imul(id ^ (salt * 0x9e3779b9), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

export class Throng {
  #slots = new Map<string, Slots>();
  /** In which slot of which place somebody stood last. */
  #stood = new Map<number, { address: string; slot: number }>();

  /** Where all of them are drawn on a plan; those in a place that shows nobody are drawn nowhere. */
  points(columns: Columns, plan: PlacePlan, hidden: ReadonlySet<string> = new Set()): Points {
    const count = columns.ids.length;
    const points = { x: new Float32Array(count).fill(Number.NaN), y: new Float32Array(count).fill(Number.NaN), size: new Float32Array(count) };
    // Those who keep a world running stand beside the places of which it is made.
    const plans = new Map(placesOf(plan).filter((place) => place.depth > 0 || place.inner.length === 0).map((place) => [place.space.address, place]));
    const counts = new Uint32Array(columns.places.length);
    for (let at = 0; at < count; at += 1) {
      const place = columns.place[at] ?? 0;
      if (place < counts.length) counts[place] = (counts[place] ?? 0) + 1;
    }
    const stands = columns.places.map(({ address }, at) => {
      const place = plans.get(address);
      return place && !hidden.has(address) && (counts[at] ?? 0) > 0 ? { place, slots: this.#room(address, counts[at] ?? 0), size: place.grid ? sizeOn(place.grid, counts[at] ?? 1) : 0 } : null;
    });
    for (let at = 0; at < count; at += 1) {
      const stand = stands[columns.place[at] ?? 0];
      if (!stand) continue;
      const { grid } = stand.place;
      const x = columns.xy[at * 2] ?? -1;
      if (grid && x >= 0) {
        points.size[at] = stand.size;
        points.x[at] = grid.x + (x + 0.5) * grid.cellW;
        points.y[at] = grid.y + ((columns.xy[at * 2 + 1] ?? 0) + 0.5) * grid.cellH;
      } else this.#stand(points, at, columns.ids[at] ?? 0, stand.place, stand.slots);
    }
    return points;
  }

  /** Makes room for so many in a place; who stands there keeps the slot as long as there is no need for more. */
  #room(address: string, many: number): Slots {
    const slots = this.#slots.get(address);
    const need = stepped(Math.ceil(many * 1.15));
    if (slots && slots.taken.length >= need) return slots;
    for (const [id, stood] of this.#stood) if (stood.address === address) this.#stood.delete(id);
    const fresh = { taken: new Float64Array(need).fill(-1) };
    this.#slots.set(address, fresh);
    return fresh;
  }

  #stand(points: Points, at: number, id: number, place: PlacePlan, slots: Slots): void {
    const { address } = place.space;
    let stood = this.#stood.get(id);
    if (stood?.address !== address) {
      if (stood) this.#leave(stood);
      stood = { address, slot: this.#take(slots, id) };
      this.#stood.set(id, stood);
    }
    const { grid } = place;
    const floor = grid ? { x: grid.x, y: grid.y, w: grid.cellW * grid.columns, h: grid.cellH * grid.rows } : place.floor;
    const columns = Math.max(1, Math.round(Math.sqrt((slots.taken.length * floor.w) / floor.h)));
    const rows = Math.ceil(slots.taken.length / columns);
    const [w, h] = [floor.w / columns, floor.h / rows];
    points.size[at] = Math.min(44, Math.min(w, h) * (grid ? DENSE : 0.74));
    // A little aside, so that a crowd is no lattice.
    points.x[at] = floor.x + ((stood.slot % columns) + 0.5 + (shareOf(id, 2) - 0.5) * 0.3) * w;
    points.y[at] = floor.y + (Math.floor(stood.slot / columns) + 0.5 + (shareOf(id, 3) - 0.5) * 0.3) * h;
  }

  #take(slots: Slots, id: number): number {
    const count = slots.taken.length;
    let slot = Math.floor(shareOf(id, 1) * count) % count;
    for (let tries = 0; tries < count && slots.taken[slot] !== -1; tries += 1) slot = (slot + 1) % count;
    slots.taken[slot] = id;
    return slot;
  }

  #leave({ address, slot }: { address: string; slot: number }): void {
    const slots = this.#slots.get(address);
    if (!slots) return;
    slots.taken[slot] = -1;
  }
}
