// A list that grows at its end: whoever reads at the end goes along with it, and whoever has scrolled up stays.

/** So near to the end one is at it. */
const NEAR = 24;

/** As much of a box that scrolls as matters here. */
export interface Scrolled { scrollTop: number; readonly scrollHeight: number; readonly clientHeight: number }

export class AtEnd {
  #isAtEnd = true;

  /** Somebody has scrolled. */
  see({ scrollTop, scrollHeight, clientHeight }: Scrolled): void {
    this.#isAtEnd = scrollHeight - clientHeight - scrollTop <= NEAR;
  }
  /** Something has come. */
  follow(list: Scrolled): void {
    if (this.#isAtEnd) list.scrollTop = list.scrollHeight;
  }
}
