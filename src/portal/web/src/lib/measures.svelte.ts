// The measures of the world over its past, read once and then only what is new. A server that tells no past of them is not asked again: then the tab keeps what it sees.
import { api, ApiError } from './api.ts';
import { joined, pointsOf, valuesOf, type Point } from './measured.ts';
import type { Measure } from './wire.ts';

const PARTS = 48;
const POINTS_MAX = 192;
const AGAIN_MS = 2000;

class Measures {
  points = $state.raw<Point[]>([]);
  #isTold = true;
  #isBusy = false;
  #again = false;

  /** Takes up what the page has just been told of the world. */
  see(measures: Measure[], seq: number, time: number): void {
    const last = this.points.at(-1);
    if (last && last.seq >= seq && this.points.some((point) => point.seq === seq)) return;
    this.points = joined(this.points, [{ seq, time, values: valuesOf(measures) }], POINTS_MAX);
  }

  /** Reads what is new: one answer after the other, with a rest between them. */
  soon(): void {
    if (!this.#isTold) return;
    if (this.#isBusy) {
      this.#again = true;
      return;
    }
    this.#isBusy = true;
    void this.#read().finally(() => setTimeout(() => {
      this.#isBusy = false;
      if (!this.#again || document.hidden) return;
      this.#again = false;
      this.soon();
    }, AGAIN_MS));
  }

  async #read(): Promise<void> {
    const last = this.#from;
    try {
      const past = await api.measures(last === 0 ? PARTS : 1, last === 0 ? undefined : { from: last });
      this.#from = past.seqs.at(-1) ?? last;
      this.points = joined(this.points, pointsOf(past), POINTS_MAX);
    } catch (error) {
      // 404: a server of before; 403: whoever may not look at the past. Others may pass.
      if (error instanceof ApiError && [403, 404].includes(error.status)) this.#isTold = false;
    }
  }
  #from = 0;
}

export const measures = new Measures();
