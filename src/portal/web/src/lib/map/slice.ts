// Lays rectangles into one: cut in two again and again, along or across, so that little is left empty and the whole has the wanted shape. The same
// rectangles are always laid the same way.

export interface Size { w: number; h: number }
export interface Box extends Size { x: number; y: number }

/** One way to lay some of them: a rectangle by itself, or two ways beside or below each other. */
interface Way extends Size { cut: 'none' | 'beside' | 'below'; at: number; one?: Way; other?: Way }

/** How many ways to lay the same rectangles are kept: none of them is both wider and higher than another. */
const WAYS = 10;
/** More than so many are laid in even rows. */
const CUT_MAX = 18;

function best(ways: Way[]): Way[] {
  const kept: Way[] = [];
  for (const way of ways.toSorted((a, b) => a.w - b.w || a.h - b.h)) {
    const last = kept.at(-1);
    if (!last || way.h < last.h - 0.5) kept.push(way);
  }
  if (kept.length <= WAYS) return kept;
  return kept.map((way) => ({ way, area: way.w * way.h })).toSorted((a, b) => a.area - b.area).slice(0, WAYS).map(({ way }) => way).toSorted((a, b) => a.w - b.w);
}

/** Of several ways the one that can be drawn largest in a box of this shape. */
export function largest<T extends Size>(ways: T[], shape: Size): T | undefined {
  const scale = (way: Size): number => Math.min(shape.w / way.w, shape.h / way.h);
  return ways.toSorted((a, b) => scale(b) - scale(a))[0];
}

/** Several ways to lay rectangles into one, none both wider and higher than another, and where they lie in a box. Each rectangle may itself have several sizes. */
export interface Laid { ways: Size[]; boxes: (into: Box) => Box[] }

/** Lays rectangles, each of one of its sizes, in their order. */
export function laid(sizes: Size[][], gap: number): Laid {
  if (sizes.length === 0) return { ways: [{ w: 0, h: 0 }], boxes: () => [] };
  if (sizes.length > CUT_MAX) return inRows(sizes.map(([size]) => size ?? { w: 1, h: 1 }), gap);
  const order = sizes.map((_, at) => at).toSorted((a, b) => area(sizes[b]?.[0]) - area(sizes[a]?.[0]) || a - b);
  const known = new Map<string, Way[]>();
  const of = (from: number, to: number): Way[] => {
    const key = `${from},${to}`;
    const before = known.get(key);
    if (before) return before;
    const all: Way[] = [];
    if (to - from === 1) {
      const at = order[from] ?? 0;
      for (const size of sizes[at] ?? []) all.push({ ...size, cut: 'none', at });
    }
    for (let cut = from + 1; cut < to; cut += 1) {
      for (const large of of(from, cut)) {
        for (const small of of(cut, to)) {
          // What is small stands at the left of what is large, or below it.
          all.push({ w: small.w + gap + large.w, h: Math.max(small.h, large.h), cut: 'beside', at: 0, one: small, other: large });
          all.push({ w: Math.max(small.w, large.w), h: small.h + gap + large.h, cut: 'below', at: 0, one: large, other: small });
        }
      }
    }
    const kept = best(all);
    known.set(key, kept);
    return kept;
  };
  const whole = of(0, order.length);
  return { ways: whole.map(({ w, h }) => ({ w, h })), boxes: (into) => {
    const boxes: Box[] = sizes.map(() => ({ ...into }));
    const way = largest(whole, into);
    if (way) spread(way, into, gap, boxes);
    return boxes;
  } };
}

const area = (size: Size | undefined): number => (size ? size.w * size.h : 0);

/** Lays a way into a box that is at least as large: what is more is shared by size. */
function spread(way: Way, into: Box, gap: number, boxes: Box[]): void {
  const { one, other } = way;
  if (way.cut === 'none' || !one || !other) {
    boxes[way.at] = into;
    return;
  }
  if (way.cut === 'beside') {
    const more = (into.w - gap) / (one.w + other.w);
    const w = one.w * more;
    spread(one, { ...into, w }, gap, boxes);
    spread(other, { ...into, x: into.x + w + gap, w: into.w - gap - w }, gap, boxes);
  } else {
    const more = (into.h - gap) / (one.h + other.h);
    const h = one.h * more;
    spread(one, { ...into, h }, gap, boxes);
    spread(other, { ...into, y: into.y + h + gap, h: into.h - gap - h }, gap, boxes);
  }
}

/** Many in even rows, each as large as the largest. */
function inRows(sizes: Size[], gap: number): Laid {
  const [w, h] = [Math.max(...sizes.map((size) => size.w)) + gap, Math.max(...sizes.map((size) => size.h)) + gap];
  const whole = [0.7, 1, 1.6, 2.2].map((ratio) => {
    const columns = Math.max(1, Math.min(sizes.length, Math.round(Math.sqrt((sizes.length * ratio * h) / w))));
    return { columns, w: columns * w - gap, h: Math.ceil(sizes.length / columns) * h - gap };
  });
  return {
    ways: whole.map(({ w, h }) => ({ w, h })),
    boxes: (into) => {
      const columns = largest(whole, into)?.columns ?? 1;
      const [cw, ch] = [(into.w + gap) / columns, (into.h + gap) / Math.ceil(sizes.length / columns)];
      return sizes.map((_, at) => ({ x: into.x + (at % columns) * cw, y: into.y + Math.floor(at / columns) * ch, w: cw - gap, h: ch - gap }));
    },
  };
}
