// Whom a brake holds, as the map marks it: read again while the world goes on, and never again by whoever may not.
import { api, isRefusal } from './api.ts';
import { trippedIn, type Tripped } from './health.ts';

const AGAIN_MS = 5000;
const nobody: Tripped = { names: new Set(), isPart: false };

class Trips {
  now = $state.raw<Tripped>(nobody);
  #of = '';
  #refused: string | null = null;
  #isBusy = false;
  #again: (() => void) | null = null;

  /** Reads whom they hold, as somebody sees it, at a point of the past or now: one answer after the other, with a rest between them. */
  soon(as: string, at: number | null): void {
    if (this.#refused === as) return;
    const of = `${as} ${at}`;
    // What was true elsewhere is not shown here meanwhile.
    if (of !== this.#of) this.now = nobody;
    this.#of = of;
    if (this.#isBusy) {
      this.#again = () => this.soon(as, at);
      return;
    }
    this.#isBusy = true;
    void this.#read(as, of).finally(() => setTimeout(() => this.#rested(), AGAIN_MS));
  }

  #rested(): void {
    this.#isBusy = false;
    const again = this.#again;
    this.#again = null;
    if (!document.hidden) again?.();
  }

  async #read(as: string, of: string): Promise<void> {
    try {
      const tripped = trippedIn(await api.see('/.health', as));
      if (of === this.#of) this.now = tripped;
    } catch (error) {
      if (isRefusal(error)) this.#refused = as;
    }
  }
}

export const trips = new Trips();
