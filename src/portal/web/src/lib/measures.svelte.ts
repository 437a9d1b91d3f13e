// The measures of the world over its past, read once and then only what is new. Nothing else makes a curve. A reader who may not look at the past is not asked for again.
import { api, ApiError } from './api.ts';
import { joined, pointsOf, type Point } from './measured.ts';

const PARTS = 48;
const POINTS_MAX = 192;
const AGAIN_MS = 2000;

class Measures {
  points = $state.raw<Point[]>([]);
  #isTold = true;
  #isBusy = false;
  #again = false;

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
      // Others may pass.
      if (error instanceof ApiError && error.status === 403) this.#isTold = false;
    }
  }
  #from = 0;
}

export const measures = new Measures();
