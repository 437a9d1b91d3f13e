// The hues of the roles of the world that is open, as its server gives them.
import { hueOf, type Hue, type Places } from './hues.ts';

class Hues {
  #places = $state.raw<Places>({});
  /** The roles for which the server was asked, each with whether a moment had named it by then: only then has it a place. */
  #asked = new Map<string, boolean>();

  /** Takes what the server gives. A role keeps its place, so those of the past and of now are the same. */
  own(places: Places): void {
    const all = { ...places, ...this.#places };
    if (Object.keys(all).length > this.count) this.#places = all;
  }

  /** Whether the server should be asked again: some of these roles have no place yet. Each is asked for once before a moment names it, and once when one does. */
  lacks(roles: Iterable<string>, isOfMoments: boolean): boolean {
    const isAsked = (role: string): boolean => (isOfMoments ? this.#asked.get(role) === true : this.#asked.has(role));
    const fresh = [...new Set(roles)].filter((role) => !Object.hasOwn(this.#places, role) && !isAsked(role));
    fresh.forEach((role) => this.#asked.set(role, isOfMoments));
    return fresh.length > 0;
  }

  /** Another world is open. */
  leave(): void {
    this.#asked.clear();
    this.#places = {};
  }

  /** How many roles have a place. */
  get count(): number {
    return Object.keys(this.#places).length;
  }

  /** The hue of a role. */
  of(role: string | undefined): Hue | null {
    return role === undefined ? null : hueOf(this.#places, role);
  }
}

export const hues = new Hues();

/** A role's colour. */
export const colourOf = (role: string | undefined): string => {
  const hue = hues.of(role);
  return hue ? `var(--role-${hue.slot})` : 'var(--line-strong)';
};
