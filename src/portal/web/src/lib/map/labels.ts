// How long the names on the map may be: no two that are written in one row lie on each other. One that has no room is not written.
import { cutTo } from './caption.ts';

/** A text whose middle lies at a point: what is cut of it is `text`, `tail` stands behind it whole. Of two for which there is no room the one of the lower rank goes. */
export interface Label { key: string; x: number; y: number; text: string; tail?: string; size: number; isStrong: boolean; rank: number }
/** How wide a text is. */
export type Widths = (text: string, size: number, isStrong: boolean) => number;

/** What lies so close above one another, in sizes of its letters, is one row. */
const ROW = 1;
/** A name of one letter and a … says nothing. */
const LETTERS_LEAST = 3;
const NEAR = 1e-6;

interface Laid extends Label { half: number; near: Laid[] }

/** What of each label is written, by its key. What would have less than `least` of room, and wants more, is not; `gap` is free between two. */
export function labelled(labels: readonly Label[], widthOf: Widths, least: number, gap: number): Map<string, string> {
  const kept = new Set<Laid>();
  const written = (one: Laid, beside?: Laid): string | null => {
    const half = one.near.reduce((room, other) => (other === beside || kept.has(other) ? Math.min(room, shareOf(one, other, gap)) : room), one.half);
    return inRoom(one, 2 * half, widthOf, least);
  };
  // The highest comes first; another joins it where all of them keep their room.
  for (const one of laidOut(labels, widthOf).sort((one, other) => other.rank - one.rank)) {
    if (written(one) !== null && one.near.every((other) => !kept.has(other) || written(other, one) !== null)) kept.add(one);
  }
  return new Map([...kept].flatMap((one) => {
    const text = written(one);
    return text === null ? [] : [[one.key, text] as const];
  }));
}

function laidOut(labels: readonly Label[], widthOf: Widths): Laid[] {
  const laid = labels.map((label): Laid => ({ ...label, half: widthOf(label.text + (label.tail ?? ''), label.size, label.isStrong) / 2, near: [] })).filter(({ half }) => half > 0).toSorted((one, other) => one.y - other.y);
  laid.forEach((one, at) => {
    for (let next = at + 1; next < laid.length; next += 1) {
      const other = laid[next];
      if (!other || other.y - one.y >= ROW * Math.max(one.size, other.size)) break;
      one.near.push(other);
      other.near.push(one);
    }
  });
  return laid;
}

/** Half of the width that one may have beside another: what the other does not want, and no less than half of what lies between their middles. */
function shareOf(one: Label & { half: number }, other: Label & { half: number }, gap: number): number {
  const far = Math.abs(one.x - other.x);
  return Math.max(0, far - Math.min(other.half, far / 2) - gap / 2);
}

/** The text of a label in so much room; nothing where a few letters, or `least`, have none. */
function inRoom({ text, tail = '', size, isStrong, half }: Laid, room: number, widthOf: Widths, least: number): string | null {
  if (2 * half <= room + NEAR) return text;
  const all = [...text].length;
  for (let letters = Math.min(all, Math.ceil((all * room) / half / 2) + 1); letters >= LETTERS_LEAST; letters -= 1) {
    const cut = cutTo(text, letters);
    const width = widthOf(cut + tail, size, isStrong);
    if (width <= room) return width >= least ? cut : null;
  }
  return null;
}
