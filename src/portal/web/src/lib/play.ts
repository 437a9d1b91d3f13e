// Playing the past: how fast it goes, and where it has come to after a while.

/** How much of the past passes in a second: so many moments, or so much time of the world. */
export interface Speed { word: string; moments?: number; ms?: number }

const MINUTE = 60_000;
export const SPEEDS: Speed[] = [
  { word: '1 moment', moments: 1 }, { word: '4 moments', moments: 4 }, { word: '20 moments', moments: 20 }, { word: '100 moments', moments: 100 },
  { word: '1 minute', ms: MINUTE }, { word: '10 minutes', ms: 10 * MINUTE }, { word: '1 hour', ms: 60 * MINUTE }, { word: '1 day', ms: 1440 * MINUTE },
];

/** A page is not shown oftener than this: each time it is read anew. */
const OFTEN_MS = 250;

/** How long one waits for the next picture. */
export const pauseOf = (speed: Speed): number => (speed.moments ? Math.max(OFTEN_MS, 1000 / speed.moments) : OFTEN_MS);

/** Where playing has come to: the seq, and the instant in milliseconds that it would be. */
export interface Played { seq: number; ms: number }

/** The point to be shown after so many milliseconds: a seq, or an instant as the server reads it. */
export function next(from: Played, speed: Speed, isForward: boolean, elapsed: number): { point: string; ms: number } {
  const way = isForward ? 1 : -1;
  if (speed.moments) {
    // Who waits long for a page does not see less of the past.
    const many = Math.max(1, Math.round((speed.moments * elapsed) / 1000));
    return { point: String(Math.max(1, from.seq + way * many)), ms: from.ms };
  }
  const ms = from.ms + way * Math.round(((speed.ms ?? 0) * elapsed) / 1000);
  return { point: new Date(ms).toISOString(), ms };
}
