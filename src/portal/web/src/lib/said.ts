// Sayings hang in the air for a while, each at the place where it was said, and no longer than its speaker stays there.
import { isDone, isEnd } from './moment.ts';
import { titled } from './map/caption.ts';
import type { Report } from './wire.ts';
import { bare } from './words.ts';

/** How long a saying hangs in the air. */
export const BUBBLE_MS = 6000;
/** How long it is told on the map that somebody has ended. */
export const ENDED_MS = 12_000;

/** `to` is who is spoken to, as people say it; nobody in particular where it is empty. */
export interface Bubble { being: string; text: string; to: string; until: number; seq: number; space: string | null }
/** Somebody who has ended, and where that was. */
export interface Ended { being: string; space: string; until: number; seq: number }

const isSpeech = (report: Report): boolean => isDone(report) && !!report.said;

/** What hangs in the air behind a flock: the last word of each, as long as they are where they said it. */
export function hanging(bubbles: Bubble[], flock: Report[], now: number): Bubble[] {
  const by = new Map(bubbles.filter(({ until }) => until > now).map((bubble) => [bubble.being, bubble]));
  for (const report of flock) {
    const { being, said, target, seq, space } = report;
    const before = by.get(being);
    if (isSpeech(report)) by.set(being, { being, text: said ?? '', to: target?.startsWith('@') && bare(target) !== being ? titled(target) : '', until: now + BUBBLE_MS, seq, space: space ?? null });
    else if (before && (isEnd(report) || (space && space !== before.space))) by.delete(being);
  }
  return [...by.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Whether the same hangs there. */
export const isSame = (one: readonly { seq: number }[], other: readonly { seq: number }[]): boolean => one.length === other.length && one.every(({ seq }, at) => seq === other[at]?.seq);

/** Whether a saying still hangs where its speaker stands: whoever is carried off leaves theirs behind. */
export const isThere = (bubble: Bubble, space: string): boolean => bubble.space === null || bubble.space === space;

/** Who has ended a short while ago. */
export const gone = (ended: Ended[], flock: Report[], now: number): Ended[] => [
  ...ended.filter(({ until }) => until > now),
  ...flock.flatMap((report) => (isEnd(report) && report.space ? [{ being: report.being, space: report.space, until: now + ENDED_MS, seq: report.seq }] : [])),
];
