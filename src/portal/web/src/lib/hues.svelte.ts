// The hues of the roles of the world that is open, kept in this browser.
import { give, hueAt, type Given, type Hue } from './hues.ts';

class Hues {
  #given = $state.raw<Given>({});
  #key = '';

  /** Takes up what was kept of a world. */
  own(world: string): void {
    this.#key = `hues:${world}`;
    try {
      this.#given = JSON.parse(localStorage.getItem(this.#key) ?? '{}') as Given;
    } catch {
      this.#given = {};
    }
  }

  /** Has roles known; those seen for the first time are given a hue. */
  see(roles: Iterable<string>): void {
    const fresh = [...new Set(roles)].filter((role) => this.#given[role] === undefined).toSorted();
    if (fresh.length === 0) return;
    this.#given = give(this.#given, fresh);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#given));
    } catch {
      // A browser that keeps nothing gives them anew each time.
    }
  }

  /** How many roles have one. */
  get count(): number {
    return Object.keys(this.#given).length;
  }

  /** The hue of a role; none before it was seen. */
  of(role: string | undefined): Hue | null {
    const place = role === undefined ? undefined : this.#given[role];
    return place === undefined ? null : hueAt(place);
  }
}

export const hues = new Hues();

/** A role's colour. */
export const colourOf = (role: string | undefined): string => {
  const hue = hues.of(role);
  return hue ? `var(--role-${hue.slot})` : 'var(--line-strong)';
};
