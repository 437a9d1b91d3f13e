// What the frame around every page shares: the one instant that header and dock show, and which of its windows are open.
import { app } from './app.svelte.ts';

class Frame {
  /** Where the hand has dragged the playhead to, before the page has come there. */
  drag = $state.raw<{ seq: number | null; time: string } | null>(null);
  isGoing = $state(false);
  isForking = $state(false);
  showsKeys = $state(false);

  /** The instant that is shown, as the world writes it: header and dock have it from here alone. */
  get time(): string {
    return this.drag?.time ?? app.world?.time ?? '';
  }
  /** The point that is shown; null: now. */
  get seq(): number | null {
    return this.drag ? this.drag.seq : app.at;
  }
}

export const frame = new Frame();
