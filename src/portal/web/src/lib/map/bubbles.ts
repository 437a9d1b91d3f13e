// Where what people say hangs over the map: over the head that says it, with a tail, covering no face and no other bubble. What finds no room is folded into a small sign.
import type { Box } from './box.ts';

/** Something said, the newest last, and the face of whoever says it. */
export interface Said { key: string; text: string; to: string; x: number; y: number; size: number }
/** A bubble: its box, where its tail ends, and its lines; one without lines is folded. */
export interface Bubble extends Box { key: string; lines: string[]; tail: { x: number; y: number }; isBelow: boolean }

export const BUBBLE_MAX = 148;
const LINES_MAX = 3;
const LINE = 16;
/** The mean width of a letter, and of one at least. */
const LETTER = 6.6;
const AIR = { x: 20, y: 11 };
const FOLDED = { w: 26, h: 20 };

/** A text in lines that fit; what is more ends in an ellipsis. */
export function broken(text: string, width = BUBBLE_MAX - AIR.x): string[] {
  const letters = Math.floor(width / LETTER);
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter(Boolean).flatMap((word) => (word.length > letters ? (word.match(new RegExp(`.{1,${letters}}`, 'gu')) ?? []) : [word]));
  for (const [at, word] of words.entries()) {
    const next = line ? `${line} ${word}` : word;
    if (next.length <= letters) {
      line = next;
      continue;
    }
    lines.push(line);
    line = word;
    if (lines.length === LINES_MAX) return cut(lines, letters, at < words.length);
  }
  return [...lines, line].filter(Boolean);
}

function cut(lines: string[], letters: number, isMore: boolean): string[] {
  const last = lines.at(-1) ?? '';
  return isMore ? [...lines.slice(0, -1), `${last.slice(0, letters - 1).trimEnd()}…`] : lines;
}

const overlaps = (one: Box, other: Box): boolean => one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/** The bubbles of what is said now, their letters `unit` times as large as on a sheet. The newest choose first; `faces` are never covered, nor is what lies beside `bounds`. */
export function placed(said: Said[], faces: Box[], bounds: Box, unit: number): Bubble[] {
  const taken: Bubble[] = [];
  for (const each of said.toReversed()) {
    const lines = broken(each.to ? `to ${each.to}: ${each.text}` : each.text);
    const longest = Math.max(...lines.map((line) => line.length));
    const size = { w: Math.min(BUBBLE_MAX, longest * LETTER + AIR.x) * unit, h: (lines.length * LINE + AIR.y) * unit };
    const isFree = (box: Box): boolean => box.x >= bounds.x && box.y >= bounds.y && box.x + box.w <= bounds.x + bounds.w && box.y + box.h <= bounds.y + bounds.h
      && !taken.some((other) => overlaps(box, other)) && !faces.some((face) => overlaps(box, face));
    const at = ways(each, size).find(({ box }) => isFree(box));
    if (at) {
      taken.push({ ...at.box, key: each.key, lines, tail: at.tail, isBelow: at.isBelow });
      continue;
    }
    const folded = ways(each, { w: FOLDED.w * unit, h: FOLDED.h * unit }).find(({ box }) => isFree(box));
    if (folded) taken.push({ ...folded.box, key: each.key, lines: [], tail: folded.tail, isBelow: folded.isBelow });
  }
  return taken.toReversed();
}

/** Where a bubble may hang, the best first: above the head, then further to one side, then below it. */
function ways({ x, y, size }: Said, { w, h }: { w: number; h: number }): { box: Box; tail: { x: number; y: number }; isBelow: boolean }[] {
  const over = y - size / 2 - 9 - h;
  const under = y + size / 2 + 40;
  const sides = [0, 0.28, -0.28, 0.42, -0.42].map((side) => x - w / 2 + side * w);
  const above = [0, 16, 34].flatMap((lift) => sides.map((left) => ({ box: { x: left, y: over - lift, w, h }, tail: { x, y: y - size / 2 - 2 }, isBelow: false })));
  return [...above, ...sides.map((left) => ({ box: { x: left, y: under, w, h }, tail: { x, y: y + size / 2 + 32 }, isBelow: true }))];
}
