// The reins of the world's clock, for whoever may hold them: header, dock and keys pull the same.
import { api } from './api.ts';
import { app } from './app.svelte.ts';
import type { ClockCall } from './wire.ts';

/** The paces of the buttons and of the keys 1 to 4. */
export const PACES = [1, 10, 60, 600];

export const reins = {
  get may(): boolean {
    return app.at === null && (app.world?.mayClock ?? false);
  },
  get isPaused(): boolean {
    return app.clock?.state === 'paused';
  },
  async pull(body: ClockCall): Promise<void> {
    try {
      app.clock = await api.clock(body);
      if (body.do === 'step') app.treeSoon();
    } catch (error) {
      app.fail(error);
    }
  },
  /** Lets the time pass, or stops it. */
  toggle(): Promise<void> {
    return this.pull({ do: this.isPaused ? 'go' : 'pause' });
  },
};
