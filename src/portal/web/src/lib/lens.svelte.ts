// Which part of the past is shown: the bar below the page and the lanes of a being show the same, from all of it down to single moments.
import { api } from './api.ts';
import { follows, latest, panned, zoomed, type Window } from './timeline.ts';
import type { Timeline } from './wire.ts';

/** In how many parts the past is told. */
const PARTS = 240;

class Lens {
  /** How much happened when in all of the past, and in what is shown of it. */
  whole = $state.raw<Timeline | null>(null);
  line = $state.raw<Timeline | null>(null);
  /** What is shown; null: all of it. */
  window = $state.raw<Window | null>(null);
  /** What is to be shown next, or how much nearer and around which place, and the work on it: who turns a wheel is not waited for. */
  #wanted: Window | null | undefined = undefined;
  #turn: { place: number; factor: number } | null = null;
  #work: Promise<void> | null = null;

  /** The first seq that there is not. */
  get end(): number {
    return this.whole?.buckets.at(-1)?.seq ?? 1;
  }
  /** The seq at which what is shown begins. */
  get from(): number {
    return this.window?.from ?? 0;
  }
  /** Whether it ends at now. */
  get isToNow(): boolean {
    return this.window === null || this.window.to >= this.end;
  }

  /** Reads all of the past anew; what is shown up to now goes along with it. */
  async read(): Promise<void> {
    try {
      const [wasToNow, whole] = [this.isToNow, await api.timeline(PARTS)];
      const isLonger = this.whole !== null && (whole.buckets.at(-1)?.seq ?? 1) > this.end;
      this.whole = whole;
      if (this.window === null) this.line = whole;
      else if (wasToNow && isLonger) void this.look(latest(this.window, this.end));
    } catch {
      // The bar that stands is still true as far as it goes.
    }
  }

  /** Shows a part, as soon as it is known what lies in it; of several that are asked for meanwhile the last. */
  look(window: Window | null): Promise<void> {
    this.#wanted = window;
    this.#turn = null;
    return this.#working();
  }

  /** Shows less than now (the factor is less than 1) or more, around a place. */
  zoom(place: number, factor: number): Promise<void> {
    this.#turn = { place, factor: factor * (this.#turn?.factor ?? 1) };
    return this.#working();
  }

  #working(): Promise<void> {
    this.#work ??= this.#show().finally(() => { this.#work = null; });
    return this.#work;
  }
  async #show(): Promise<void> {
    for (;;) {
      if (this.#turn && this.line) this.#wanted = zoomed(this.line.buckets, this.window, this.#turn.place, this.#turn.factor, this.end);
      this.#turn = null;
      const window = this.#wanted;
      this.#wanted = undefined;
      if (window === undefined) return;
      try {
        const line = window === null ? this.whole : await api.timeline(PARTS, window);
        if (line && line.buckets.length > 0) [this.window, this.line] = [window, line];
      } catch {
        // It stays as it is.
      }
    }
  }

  pan(by: number): Promise<void> {
    return this.window ? this.look(panned(this.window, by, this.end)) : Promise.resolve();
  }
  /** Has a point lie in what is shown. */
  follow(seq: number): void {
    const window = follows(this.window, seq, this.end);
    if (window !== this.window) void this.look(window);
  }
  /** Has now lie in what is shown. */
  async followNow(): Promise<void> {
    if (this.window === null) return;
    await this.read();
    if (this.window !== null && !this.isToNow) void this.look(latest(this.window, this.end));
  }
}

export const lens = new Lens();
