// Which part of the past is shown: the bar below the page and the lanes of a being show the same, from all of it down to single moments. It is
// asked for once; what happens from then on comes by the stream.
import { api } from './api.ts';
import { follows, grown, latest, panned, slid, zoomed, type Happened, type Window } from './timeline.ts';
import type { Timeline } from './wire.ts';

/** In how many parts the past is told. */
const PARTS = 240;
/** With fewer parts than this a window is asked for anew: the time that it shows went on too fast. */
const PARTS_FEW = 8;
/** How many moments of the stream are kept at hand, for an answer that is older than they are. */
const RECENT = 4096;

class Lens {
  /** How much happened when in all of the past, and in what is shown of it. */
  whole = $state.raw<Timeline | null>(null);
  line = $state.raw<Timeline | null>(null);
  /** What is shown; null: all of it. */
  window = $state.raw<Window | null>(null);
  /** Counts up whenever something else is shown than before, other than by what happened meanwhile. */
  turns = $state(0);
  #recent: Happened[] = [];
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

  /** Reads all of the past; what is shown up to now goes along with it. */
  async read(): Promise<void> {
    try {
      const whole = await api.timeline(PARTS);
      const wasToNow = this.isToNow;
      this.whole = grown(whole, this.#recent, PARTS);
      if (this.window === null) this.line = this.whole;
      this.turns += 1;
      if (this.window !== null && wasToNow) void this.look(latest(this.window, this.end));
    } catch {
      // The bar that stands is still true as far as it goes.
    }
  }

  /** Takes up what has happened since: what is shown up to now grows at its end, and nothing is asked. */
  grow(happened: Happened[]): void {
    this.#recent = [...this.#recent, ...happened].slice(-RECENT);
    if (!this.whole || happened.length === 0) return;
    const wasToNow = this.isToNow;
    this.whole = grown(this.whole, happened, PARTS);
    if (this.window === null) this.line = this.whole;
    else if (wasToNow) this.#slide();
  }

  /** Has a window that ended at now end there again. */
  #slide(): void {
    if (this.window === null || this.line === null) return;
    const { line, window } = slid(grown(this.line, this.#recent, PARTS), this.window);
    [this.line, this.window] = [line, window];
    if (line.buckets.length < PARTS_FEW) void this.look(window);
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
        const isToNow = window === null || window.to >= this.end;
        // Where it ends at now, the answer says where that is.
        const line = window === null ? this.whole : await api.timeline(PARTS, isToNow ? { from: window.from } : window);
        if (line && line.buckets.length > 0) {
          [this.window, this.line] = [window, window === null ? this.whole : line];
          if (isToNow) this.#slide();
          this.turns += 1;
        }
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
    if (this.window !== null && !this.isToNow) await this.look(latest(this.window, this.end));
  }
}

export const lens = new Lens();
