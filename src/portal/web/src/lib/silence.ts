// A line that is silent: since when no event has come, and whether that is said or counts as a cut.

/** After so long without an event the page says so. */
export const SAID_MS = 5000;
/** After so long the line counts as cut. */
export const CUT_MS = 15_000;

export class Silence {
  #since: number | null = null;

  /** An event came, a connection began, or the tab was shown again: from now on it counts. */
  begin(now: number): void {
    this.#since = now;
  }
  /** Nothing is counted: there is no line, or nobody looks. */
  end(): void {
    this.#since = null;
  }
  /** The whole seconds without an event, once they are to be said; else 0. */
  said(now: number): number {
    const passed = this.#since === null ? 0 : now - this.#since;
    return passed >= SAID_MS ? Math.floor(passed / 1000) : 0;
  }
  isCut(now: number): boolean {
    return this.#since !== null && now - this.#since >= CUT_MS;
  }
}

/** The words for a line that is silent. */
export const silenceText = (seconds: number): string => `no word for ${seconds} s`;
