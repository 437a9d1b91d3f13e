// The plan of a world: where each place, each thing and everybody is drawn. Places lie in one another as spaces do; what a source gave coordinates lies on its grid, all else has seats
// that stay, so that nobody jumps when another comes or goes.
import { hashOf } from '../face.ts';
import type { Glance, Look, MatterGlance, Space } from '../wire.ts';
import type { Box, Size } from './box.ts';
import { decorOf, type Decor } from './decor.ts';
import { drawing, shapeOf, SLAB } from './shapes.ts';

/** Where somebody's face is: its middle, how wide it is, and how wide and how high what is written below it may be. */
export interface Spot { x: number; y: number; size: number; room: number; below: number }
/** Something drawn: by its foot. What no thing of the world stands behind is decoration; a heap stands for so many things of a type. */
export interface Prop { key: string; shape: string | null; x: number; y: number; scale: number; thing?: MatterGlance; heap?: number }
/** Pieces that lie in something, and how many more do. */
export interface Pile { of: string; x: number; y: number; more: number }

export interface PlacePlan {
  space: Space;
  depth: number;
  box: Box;
  floor: Box;
  decor: Decor;
  grid: { x: number; y: number; cellW: number; cellH: number; columns: number; rows: number } | null;
  props: Prop[];
  belt: { x: number; y: number; w: number } | null;
  spots: Map<string, Spot>;
  inner: PlacePlan[];
}

/** What a plan remembers from one drawing to the next: who sits where, and how many seats a place has had. */
export class Seating {
  #seats = new Map<string, string[]>();

  /** Whether anybody ever sat in a place. */
  has(address: string): boolean {
    return this.#seats.has(address);
  }

  /** Gives everybody who is in a place a seat; who leaves frees theirs, whoever comes takes the first that is free. */
  seat(address: string, names: string[]): string[] {
    const here = new Set(names);
    const before = (this.#seats.get(address) ?? []).map((name) => (here.has(name) ? name : ''));
    const known = new Set(before);
    const fresh = names.filter((name) => !known.has(name));
    const seats = before.map((name) => name || (fresh.shift() ?? ''));
    seats.push(...fresh);
    const room = stepped(seats.length);
    while (seats.length < room) seats.push('');
    this.#seats.set(address, seats);
    return seats;
  }
}

/** Places grow by steps, so that a plan stays as it is while people come and go. */
const STEPS = [2, 4, 6, 9, 12, 16, 20, 25, 30, 36, 49, 64, 81, 100, 144, 196, 256];
export const stepped = (count: number): number => STEPS.find((step) => step >= count) ?? Math.ceil(count / 128) * 128;

/** What one who sits needs: the face, the name, a caption. */
const SEAT: Size = { w: 84, h: 86 };
const FACE = 44;
const THING: Size = { w: 78, h: 74 };
const CELL: Size = { w: 62, h: 80 };
/** A grid is drawn no larger than this. */
const GRID: Size = { w: 780, h: 560 };
const LEAST: Size = { w: 168, h: 112 };
/** How high the furniture along the far side of a room is, and that along the near one. */
const BACK = 62;
const FRONT = 54;
/** No less than this of a room's height is left to those who are in it, before it has furniture. */
const FREE = 50;
/** What lies in a place that has no floor of its own lies along its edge. */
const BRIM = 26;

export interface Asked { looks: Record<string, Look>; seating: Seating }

const boxOf = ([x, y, w, h]: number[]): Box => ({ x: x ?? 0, y: y ?? 0, w: w ?? 0, h: h ?? 0 });

/** The plan of a space and all in it: the server says where each place lies, and here what stands in it is laid. */
export function planOf(space: Space, asked: Asked, depth = 0): PlacePlan {
  const whole = boxOf(space.ground?.whole ?? [0, 0, LEAST.w, LEAST.h]);
  const floor = space.ground ? boxOf(space.ground.floor) : whole;
  const inner = innerOf(space).map((each) => planOf(each, asked, depth + 1));
  const plan: PlacePlan = { space, depth, box: whole, floor: floor.h > 0 ? floor : whole, decor: decorOf(space, asked.looks), grid: null, props: [], belt: null, spots: new Map(), inner };
  if (floor.h <= 0) layThings(plan, { ...whole, x: whole.x + BRIM, w: whole.w - 2 * BRIM, y: whole.y + whole.h - BRIM - 4, h: BRIM }, slotsOf(space, lyingIn(space, asked), asked), asked);
  else if (space.size) layGrid(plan, floor, asked);
  else layRoom(plan, floor, asked, inner.length > 0);
  return plan;
}

const isHidden = (look: Look | null | undefined): boolean => look?.hidden === true;
/** The spaces of a space that are drawn in it. */
const innerOf = (space: Space): Space[] => space.spaces.filter(({ ground }) => ground);
const thingsOf = (space: Space, { looks }: Asked): MatterGlance[] => space.matter.filter((thing) => !isHidden(thing.look ?? looks[thing.type]));

/** A thing that lies in a place, or the first of a heap. */
interface Lying { thing: MatterGlance; heap: number }
/** More things of one type in a place than this are one heap. */
const HEAP = 8;

/** What lies in a place without coordinates: each thing, and those of a type that are too many together. */
function lyingIn(space: Space, asked: Asked): Lying[] {
  const loose = thingsOf(space, asked).filter(({ coords }) => !space.size || !coords);
  const counts = new Map<string, number>();
  for (const { type } of loose) counts.set(type, (counts.get(type) ?? 0) + 1);
  const isHeap = ({ type }: MatterGlance): boolean => (counts.get(type) ?? 0) > HEAP && asked.looks[type]?.rows !== true;
  return loose.filter((thing, at) => !isHeap(thing) || loose.findIndex(({ type }) => type === thing.type) === at).map((thing) => ({ thing, heap: isHeap(thing) ? (counts.get(thing.type) ?? 0) : 0 }));
}
/** Each has a slot that stays; how many there are never falls. */
function slotsOf(space: Space, lying: Lying[], { seating }: Asked): (Lying | null)[] {
  if (lying.length === 0) return [];
  const keyed = new Map(lying.map((each) => [each.heap > 0 ? `heap of ${each.thing.type}` : each.thing.name, each]));
  return seating.seat(`${space.address}|things`, [...keyed.keys()]).map((key) => keyed.get(key) ?? null);
}

/** Who of a space is drawn there: those who keep a world running stand at its root, beside the places of which it is made. */
export const shownIn = (space: Space): Glance[] => (space.address === '/' && space.spaces.length > 0 ? [] : space.beings);

function seatSize(seats: number): Size {
  if (seats <= 12) return SEAT;
  if (seats <= 42) return { w: 70, h: 68 };
  return seats <= 256 ? { w: 40, h: 40 } : { w: 22, h: 22 };
}

// ---- a place on a grid

function cellOf(space: Space): Size {
  const { x, y } = space.size ?? { x: 1, y: 1 };
  const w = Math.min(CELL.w, GRID.w / x);
  const h = Math.min(CELL.h, GRID.h / y);
  // A grid of many cells is square, as it is meant.
  return w < 40 || h < 40 ? { w: Math.min(w, h), h: Math.min(w, h) } : { w, h };
}

function layGrid(plan: PlacePlan, box: Box, asked: Asked): void {
  const { space } = plan;
  const size = space.size ?? { x: 1, y: 1 };
  const least = cellOf(space);
  const more = Math.min(box.w / (size.x * least.w), (box.h - 8) / (size.y * least.h), 1.5);
  const cellW = Math.min(box.w / size.x, least.w * more * 1.15);
  const cellH = least.h * more;
  const grid = { x: box.x + (box.w - cellW * size.x) / 2, y: box.y + Math.max(0, (box.h - cellH * size.y) / 2), cellW, cellH, columns: size.x, rows: size.y };
  plan.grid = grid;
  const scale = Math.min(1.15, cellW / CELL.w, cellH / CELL.h);
  const things = thingsOf(space, asked);
  for (const thing of things.filter((each) => each.coords)) {
    const { x, y } = thing.coords ?? { x: 0, y: 0 };
    plan.props.push({ key: thing.address, shape: shapeOf(thing, asked.looks), x: grid.x + (x + 0.5) * cellW, y: grid.y + (y + 1) * cellH - 28 * scale, scale: Math.max(0.3, scale), thing });
  }
  plan.belt = beltOf(plan.props, scale);
  layThings(plan, { ...box, y: box.y + box.h - 40, h: 40 }, slotsOf(space, lyingIn(space, asked), asked), asked);
  const here = shownIn(space);
  const placed = here.filter((being) => being.coords);
  const face = Math.min(FACE * Math.max(1, scale), Math.max(cellW * 0.7, Math.sqrt((grid.cellW * size.x * grid.cellH * size.y) / Math.max(1, here.length)) * 0.45));
  const cells = new Map<string, Glance[]>();
  const columns = new Map<number, number[]>();
  for (const { coords } of placed) columns.set(coords?.y ?? 0, [...(columns.get(coords?.y ?? 0) ?? []), coords?.x ?? 0]);
  const roomAt = (x: number, y: number): number => cellW * Math.min(3, ...(columns.get(y) ?? []).filter((other) => other !== x).map((other) => Math.abs(other - x)));
  /** What stands in the next row begins there. */
  const belowAt = (x: number, y: number): number => {
    const foot = grid.y + y * cellH + 25 * scale;
    const tops = plan.props.filter((prop) => prop.y > foot && Math.abs(prop.x - (grid.x + (x + 0.5) * cellW)) < cellW * 0.8).map((prop) => prop.y - (prop.shape === null ? SLAB : drawing(prop.shape)).h * prop.scale);
    return Math.min(cellH * 1.2, ...tops.map((top) => top - foot)) - face / 2;
  };
  for (const being of placed) {
    const key = `${being.coords?.x},${being.coords?.y}`;
    cells.set(key, [...(cells.get(key) ?? []), being]);
  }
  for (const together of cells.values()) {
    together.toSorted((a, b) => (a.name < b.name ? -1 : 1)).forEach((being, at) => {
      const size = together.length === 1 ? face : face * Math.max(0.45, 1 - 0.18 * together.length);
      const aside = together.length === 1 ? { x: 0, y: 0 } : around(at, together.length, cellW * 0.28);
      plan.spots.set(being.name, { x: grid.x + ((being.coords?.x ?? 0) + 0.5) * cellW + aside.x, y: grid.y + (being.coords?.y ?? 0) * cellH + Math.min(cellH / 2, 25 * scale) + aside.y, size, room: roomAt(being.coords?.x ?? 0, being.coords?.y ?? 0), below: belowAt(being.coords?.x ?? 0, being.coords?.y ?? 0) });
    });
  }
  const loose = here.filter((being) => !being.coords);
  // Of many who stand nowhere on it each has a place by its name; a few stand beside its title.
  if (loose.length > 4) {
    const size = Math.max(3, Math.min(FACE, Math.sqrt((box.w * box.h) / here.length) * 0.5));
    for (const { name } of loose) {
      const hash = hashOf(name);
      plan.spots.set(name, { x: box.x + size + ((hash & 0xffff) / 0xffff) * (box.w - 2 * size), y: box.y + size + ((hash >>> 16) / 0xffff) * (box.h - 2 * size), size, room: size, below: size });
    }
  } else loose.forEach((being, at) => plan.spots.set(being.name, { x: box.x + box.w - 16 - at * 30, y: box.y - 14, size: 26, room: 30, below: 0 }));
}

const around = (at: number, count: number, r: number): { x: number; y: number } => {
  const angle = (2 * Math.PI * at) / count - Math.PI / 2;
  return { x: r * Math.cos(angle), y: r * Math.sin(angle) };
};

/** A belt below stations that stand in one row and hand things on. */
function beltOf(props: Prop[], scale: number): PlacePlan['belt'] {
  const rows = new Map<number, Prop[]>();
  for (const prop of props) if (prop.thing?.does) rows.set(prop.y, [...(rows.get(prop.y) ?? []), prop]);
  const row = [...rows.values()].find((each) => each.length >= 3);
  if (!row) return null;
  const [left, right] = [Math.min(...row.map(({ x }) => x)), Math.max(...row.map(({ x }) => x))];
  return { x: left - 38 * scale, y: (row[0]?.y ?? 0) + 1, w: right - left + 76 * scale };
}

// ---- a place without one

const widthOf = (shapes: string[]): number => shapes.reduce((sum, shape) => sum + drawing(shape).w + 18, 0);
/** What stands in the foreground: what the source put there, else what such a place has. */
const frontOf = (decor: Decor, things: unknown[]): string[] => (things.length > 0 ? [] : (decor.front ?? []));

function layRoom(plan: PlacePlan, box: Box, asked: Asked, holdsPlaces: boolean): void {
  const { space, decor } = plan;
  if (box.h <= 0) return;
  const things = slotsOf(space, lyingIn(space, asked), asked);
  const back = holdsPlaces || box.h < BACK + FREE ? [] : (decor.back ?? []);
  const front = holdsPlaces || box.h < (back.length > 0 ? BACK : 0) + FRONT + FREE ? [] : frontOf(decor, things);
  let [top, bottom] = [box.y, box.y + box.h];
  // What a place has more than it needs makes its furniture larger.
  const seats = shownIn(space).length;
  const need = (shownIn(space).length > 0 ? SEAT.h * Math.min(2, Math.ceil(seats / 4)) : 0) + (back.length > 0 ? BACK : 0) + (front.length > 0 ? FRONT : 0) + (things.length > 0 ? THING.h : 0);
  const scaleOf = (shapes: string[]): number => Math.max(1, Math.min(1.9, box.h / Math.max(need, 70), (box.w * 0.92) / Math.max(1, widthOf(shapes))));
  if (back.length > 0) {
    const scale = scaleOf(back);
    row(plan, 'back', back, box, top + BACK * scale - 4, scale);
    top += BACK * scale;
  }
  if (things.length > 0) {
    const height = Math.min(Math.ceil(things.length / Math.max(1, Math.floor(box.w / THING.w))) * THING.h, bottom - top);
    layThings(plan, { ...box, y: bottom - height, h: height }, things, asked);
    bottom -= height;
  } else if (front.length > 0) {
    const scale = scaleOf(front);
    row(plan, 'front', front, box, bottom - 4, scale);
    bottom -= FRONT * scale;
  }
  const high = Math.min(box.h, Math.max(20, bottom - top));
  laySeats(plan, { ...box, y: Math.max(box.y, Math.min(top, bottom - high)), h: high }, asked);
}

/** Decoration in a row, evenly apart, the larger the more room there is; what does not fit is left out. */
function row(plan: PlacePlan, key: string, shapes: string[], box: Box, y: number, scale: number): void {
  const fit = shapes.filter((_, at) => widthOf(shapes.slice(0, at + 1)) * scale <= box.w + 18);
  const wide = (shape: string): number => drawing(shape).w * scale;
  const free = box.w - fit.reduce((sum, shape) => sum + wide(shape), 0);
  let x = box.x + free / (fit.length + 1);
  fit.forEach((shape, at) => {
    plan.props.push({ key: `${plan.space.address}|${key}${at}`, shape, x: x + wide(shape) / 2, y, scale });
    x += wide(shape) + free / (fit.length + 1);
  });
}

function layThings(plan: PlacePlan, box: Box, things: (Lying | null)[], asked: Asked): void {
  if (things.length === 0) return;
  const columns = Math.max(1, Math.min(things.length, Math.floor(box.w / Math.min(THING.w, box.w))));
  const rows = Math.ceil(things.length / columns);
  const [w, h] = [box.w / columns, box.h / rows];
  things.forEach((lying, at) => {
    if (!lying) return;
    const { thing, heap } = lying;
    const shape = shapeOf(thing, asked.looks);
    const size = shape === null ? SLAB : drawing(shape);
    const scale = Math.min(1, (w - 6) / size.w, Math.max(16, h - 20) / size.h);
    plan.props.push({ key: thing.address, shape, x: box.x + ((at % columns) + 0.5) * w, y: box.y + (Math.floor(at / columns) + 1) * h - 18, scale: Math.max(0.25, scale), thing, ...(heap > 0 ? { heap } : {}) });
  });
}

function laySeats(plan: PlacePlan, box: Box, asked: Asked): void {
  const here = shownIn(plan.space);
  if (here.length === 0) return;
  const seats = asked.seating.seat(plan.space.address, here.map(({ name }) => name));
  const seat = seatSize(seats.length);
  const columns = Math.max(1, Math.min(seats.length, Math.round(Math.sqrt((seats.length * box.w * seat.h) / (box.h * seat.w)))));
  const rows = Math.ceil(seats.length / columns);
  const [w, h] = [Math.min(box.w / columns, 130), box.h / rows];
  const size = Math.max(3, Math.min(FACE, w * 0.62, h * (h > 60 ? 0.52 : 0.8)));
  const left = box.x + (box.w - w * columns) / 2;
  // The middle of a row is taken first.
  const order = Array.from({ length: columns }, (_, at) => at).toSorted((a, b) => Math.abs(a - (columns - 1) / 2) - Math.abs(b - (columns - 1) / 2) || a - b);
  const below = h > 60 ? Math.min(h / 2, size / 2 + 10) : h / 2;
  seats.forEach((name, at) => {
    if (name === '') return;
    const column = order[at % columns] ?? 0;
    plan.spots.set(name, { x: left + (column + 0.5) * w, y: box.y + Math.floor(at / columns) * h + below, size, room: w, below: h - below - size / 2 });
  });
}

/** All places of a plan, the outer before the inner. */
export function placesOf(plan: PlacePlan): PlacePlan[] {
  return [plan, ...plan.inner.flatMap(placesOf)];
}

/** The plan of the place with an address. */
export const placeAt = (plan: PlacePlan, address: string): PlacePlan | null => placesOf(plan).find((place) => place.space.address === address) ?? null;
