// Two pointers on something that is looked at from near and far: how far they went apart or together, and around where.

export interface Spot { x: number; y: number }
/** Less than 1 where one comes nearer; `from` and `to` are where the middle of both was and is. */
export interface Pinched { factor: number; from: Spot; to: Spot }

/** So near together the way between two pointers says nothing any more, in pixels. */
const LEAST = 8;

const middle = ([a, b]: [Spot, Spot]): Spot => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const apart = ([a, b]: [Spot, Spot]): number => Math.max(LEAST, Math.hypot(a.x - b.x, a.y - b.y));

export class Pinch {
  #held = new Map<number, Spot>();

  /** Whether two are down: then neither drags anything by itself. */
  get isOn(): boolean {
    return this.#held.size === 2;
  }
  /** A third pointer means nothing. */
  down(id: number, x: number, y: number): void {
    if (this.#held.size < 2) this.#held.set(id, { x, y });
  }
  up(id: number): void {
    this.#held.delete(id);
  }
  /** What a move of one of both came to; nothing where only one is down. */
  move(id: number, x: number, y: number): Pinched | null {
    if (!this.#held.has(id)) return null;
    const before = this.#both();
    this.#held.set(id, { x, y });
    const after = this.#both();
    return before && after ? { factor: apart(before) / apart(after), from: middle(before), to: middle(after) } : null;
  }
  #both(): [Spot, Spot] | null {
    const [a, b] = [...this.#held.values()];
    return a && b ? [a, b] : null;
  }
}

/** How much nearer a turn of the wheel leads; a pinch on a trackpad is a wheel with Ctrl, in small steps. */
export const turned = ({ deltaY, ctrlKey }: { deltaY: number; ctrlKey: boolean }, nearer: number): number =>
  ctrlKey ? Math.exp(Math.max(-0.5, Math.min(0.5, deltaY * 0.01))) : deltaY < 0 ? nearer : 1 / nearer;
