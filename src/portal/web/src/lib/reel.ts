// How the dock is drawn: bars of moments, labels of time, signs of what was refused, what failed and what lies ahead. Crisp on every screen.
import { isBelow, WORDS, type Label, type Sign } from './axis.ts';
import type { Bucket, Timeline } from './wire.ts';

/** The colours, as the browser has resolved them from the tokens. */
export interface Paints { bar: string; behind: string; due: string; line: string; ink: string; faint: string; ground: string; refused: string; failed: string; font: string }

/** Something in the past that one is told of: at `x`, in words; it lies in the frames from one seq up to another. */
export interface Spot { x: number; words: string; isFailure: boolean; from: number; to: number }

export interface Scene {
  width: number; height: number;
  buckets: Bucket[];
  /** How far the past reaches, in pixels; what lies behind that is ahead. */
  past: number;
  /** The playhead. */
  head: number | null;
  labels: Label[];
  /** Where words of the axis would lie below the playhead's own. */
  covered: [number, number] | null;
  spots: Spot[];
  ahead: Sign<unknown>[];
  /** Where a moment is open, where others go on by themselves, and what is marked. */
  opened: number | null; forks: number[]; flag: number | null;
  isToNow: boolean;
}

/** The rows: labels above, signs below them, then the bars up to the line. */
const ROW = 18;
export const SIGNS_AT = 26;
const BAR_LEAST = 3;
/** How large a diamond and a cross are, from the middle. */
const HALF = 4;
/** Signs of the past that lie nearer together than this are one. */
const APART = 9;

/** As few bars as have room: each at least three pixels. */
export function bars(buckets: Bucket[], width: number): number[] {
  const many = Math.max(1, Math.ceil((BAR_LEAST * buckets.length) / Math.max(1, width)));
  const counts: number[] = [];
  for (let at = 0; at < buckets.length; at += many) counts.push(buckets.slice(at, at + many).reduce((sum, { moments }) => sum + moments, 0));
  return counts;
}

/** What was refused and what failed, each where it was; of several that would lie on one another the first is told, with how many there are. */
export function spots({ buckets, ended }: Pick<Timeline, 'buckets' | 'ended'>, width: number, clockOf: (iso: string) => string, start = 0): Spot[] {
  const found: { x: number; began: string; ended: string; refused: number; failed: number; from: number; to: number }[] = [];
  for (const [index, { refused, failed, time, seq }] of buckets.entries()) {
    if (refused === 0 && failed === 0) continue;
    const x = ((index + 0.5) / buckets.length) * width;
    const last = found.at(-1);
    const here = { ended: buckets[index + 1]?.time ?? ended, to: seq };
    if (last && x - last.x < APART) Object.assign(last, here, { refused: last.refused + refused, failed: last.failed + failed });
    else found.push({ x, began: time, refused, failed, from: buckets[index - 1]?.seq ?? start, ...here });
  }
  return found.map(({ x, began, ended, refused, failed, from, to }) => {
    const [first, last] = [clockOf(began), clockOf(ended)];
    const many = [refused > 0 ? `${refused} refused` : '', failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');
    // How many there are in a part is known, and when the part was: no hour is said that none of them had.
    return { x, isFailure: failed > 0, from, to, words: `${many} ${first === last ? `at ${first}` : `between ${first} and ${last}`}` };
  });
}

/** The sign next to a point, on or back; now is no point. A pile in which the point lies is passed: one stands at it. */
export function nextSpot(all: readonly Spot[], at: number | null, isForward: boolean): Spot | undefined {
  if (at === null) return isForward ? undefined : all.at(-1);
  // Before the first moment nothing has been passed.
  return isForward ? all.find(({ from }) => from >= (at <= 1 ? 0 : at)) : all.findLast(({ to }) => to < at);
}

/** How many moments a bar of full height stands for: few hours with very many do not flatten the others. */
export function heightOf(counts: number[]): number {
  const some = counts.filter((count) => count > 0).toSorted((a, b) => a - b);
  return Math.max(1, 1.6 * (some[Math.floor(some.length * 0.9)] ?? 1));
}

function drawBars(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints, ratio: number): void {
  const counts = bars(scene.buckets, scene.past);
  const most = heightOf(counts);
  const [foot, room] = [scene.height - 8, scene.height - 8 - SIGNS_AT - 8];
  const snap = (x: number): number => Math.round(x * ratio) / ratio;
  const split = scene.head ?? scene.past;
  counts.forEach((count, index) => {
    if (count === 0) return;
    const [from, to] = [snap((index / counts.length) * scene.past), snap(((index + 1) / counts.length) * scene.past)];
    const high = Math.max(2, snap(Math.min(1, Math.sqrt(count / most)) * room));
    brush.fillStyle = from < split ? paints.bar : paints.behind;
    brush.fillRect(from, foot - high, Math.max(1 / ratio, to - from - (to - from >= 2 ? 1 : 0)), high);
  });
  brush.fillStyle = paints.line;
  brush.fillRect(0, foot, scene.width, 1);
}

function drawSpots(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints): void {
  for (const { x, isFailure } of scene.spots) {
    brush.beginPath();
    if (!isFailure) {
      brush.fillStyle = paints.refused;
      brush.moveTo(x, SIGNS_AT - HALF); brush.lineTo(x + HALF, SIGNS_AT); brush.lineTo(x, SIGNS_AT + HALF); brush.lineTo(x - HALF, SIGNS_AT);
      brush.fill();
    } else {
      brush.strokeStyle = paints.failed;
      brush.lineWidth = 2;
      brush.moveTo(x - HALF + 1, SIGNS_AT - HALF + 1); brush.lineTo(x + HALF - 1, SIGNS_AT + HALF - 1); brush.moveTo(x + HALF - 1, SIGNS_AT - HALF + 1); brush.lineTo(x - HALF + 1, SIGNS_AT + HALF - 1);
      brush.stroke();
    }
  }
}

/** What lies ahead: a circle with a word, on a dotted line to the ground. */
function drawAhead(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints): void {
  const foot = scene.height - 8;
  for (const { x, row, text, isSaid } of scene.ahead) {
    const [left, y] = [scene.past + x, SIGNS_AT + 7 + row * 16];
    brush.strokeStyle = paints.faint;
    brush.lineWidth = 1;
    brush.setLineDash([1.5, 3]);
    brush.beginPath(); brush.moveTo(Math.round(left) + 0.5, y + 4); brush.lineTo(Math.round(left) + 0.5, foot); brush.stroke();
    brush.setLineDash([]);
    brush.lineWidth = 1.5;
    brush.beginPath(); brush.arc(left, y, 3.2, 0, 2 * Math.PI); brush.stroke();
    brush.fillStyle = paints.faint;
    if (isSaid) brush.fillText(text, left + WORDS, y + 4);
  }
}

/** A tip where a moment is open, rings where other worlds go on, a flag at what is marked. */
function drawMarks(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints): void {
  const foot = scene.height - 8;
  brush.fillStyle = paints.ink;
  if (scene.opened !== null) {
    brush.beginPath(); brush.moveTo(scene.opened, foot - 6); brush.lineTo(scene.opened + 5, foot + 2); brush.lineTo(scene.opened - 5, foot + 2); brush.fill();
  }
  brush.lineWidth = 2;
  brush.strokeStyle = paints.ink;
  for (const x of scene.forks) {
    brush.beginPath(); brush.arc(x, foot, 4, 0, 2 * Math.PI); brush.fillStyle = paints.ground; brush.fill(); brush.stroke();
  }
  if (scene.flag === null) return;
  brush.fillStyle = paints.ink;
  brush.setLineDash([3, 3]);
  brush.lineWidth = 1;
  const x = Math.round(scene.flag) + 0.5;
  brush.beginPath(); brush.moveTo(x, ROW); brush.lineTo(x, foot); brush.stroke();
  brush.setLineDash([]);
  brush.beginPath(); brush.moveTo(x, ROW); brush.lineTo(x + 8, ROW + 4); brush.lineTo(x, ROW + 8); brush.fill();
}

function drawAxis(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints): void {
  for (const label of scene.labels) {
    brush.fillStyle = paints.line;
    brush.fillRect(Math.min(scene.width - 1, Math.round(label.x)), 0, 1, 6);
    brush.fillStyle = paints.faint;
    if (!isBelow(label, scene.covered)) brush.fillText(label.text, label.from, 13);
  }
}

/** Draws all of it; `ratio`: how many points of the screen a pixel has. */
export function draw(brush: CanvasRenderingContext2D, scene: Scene, paints: Paints, ratio: number): void {
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, scene.width, scene.height);
  brush.font = paints.font;
  if (scene.past < scene.width) {
    brush.fillStyle = paints.due;
    brush.fillRect(scene.past, 0, scene.width - scene.past, scene.height);
  }
  drawBars(brush, scene, paints, ratio);
  drawAxis(brush, scene, paints);
  drawSpots(brush, scene, paints);
  drawAhead(brush, scene, paints);
  if (scene.isToNow && (scene.past < scene.width || scene.head !== scene.past)) {
    brush.strokeStyle = paints.faint;
    brush.lineWidth = 1.5;
    brush.setLineDash([4, 3]);
    const x = Math.min(scene.width - 1, scene.past);
    brush.beginPath(); brush.moveTo(x, 0); brush.lineTo(x, scene.height); brush.stroke();
    brush.setLineDash([]);
  }
  drawMarks(brush, scene, paints);
}
