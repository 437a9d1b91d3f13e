// How fast the time of the world really goes: from the clock of the stream, over the last seconds.

/** How long a look back counts, and how long one looks at least before anything is said. */
const LOOK_MS = 8000;
const LEAST_MS = 1500;
/** So near to what was asked it is what was asked. */
const NEAR = 0.06;

export class Reached {
  #seen: { wall: number; world: number }[] = [];

  /** Forgets: the world stood still, or another pace was asked for. */
  clear(): void {
    this.#seen = [];
  }
  /** The world's clock, in milliseconds, at an instant of one's own. */
  note(wall: number, world: number): void {
    const last = this.#seen.at(-1);
    if (last && world < last.world) this.clear();
    if (last && world === last.world) return;
    this.#seen = [...this.#seen.filter((each) => wall - each.wall <= LOOK_MS), { wall, world }];
  }
  /** World seconds in one second; null where it is not known yet. */
  get pace(): number | null {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    return first && last && last.wall - first.wall >= LEAST_MS ? (last.world - first.world) / (last.wall - first.wall) : null;
  }
}

/** A pace as it is written: `×412`, `×0.5`. */
export const paceText = (pace: number): string => `×${pace >= 10 ? Math.round(pace) : Math.round(pace * 10) / 10}`;

/** The pace that is reached beside the one asked for, and never above it; nothing where that is not known. */
export function reachedText(reached: number | null, asked: number | null): string {
  if (reached === null) return '';
  const isThat = asked !== null && reached >= (1 - NEAR) * asked;
  return `reaches ${paceText(isThat ? asked : reached)}`;
}
