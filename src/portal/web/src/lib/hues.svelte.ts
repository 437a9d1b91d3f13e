// The hues of the roles of the world that is open, as its server gives them.
import { hueOf, type Hue, type Places } from './hues.ts';

class Hues {
  #places = $state.raw<Places>({});
  /** The roles of which the server was asked without an answer: they are worn by nobody that it tells of. */
  #asked = new Set<string>();

  /** Takes what the server gives. A role keeps its place, so those of the past and of now are the same. */
  own(places: Places): void {
    const all = { ...this.#places, ...places };
    if (Object.keys(all).length > this.count) this.#places = all;
  }

  /** Whether the server should be asked again: some of these roles are worn and have no place yet. Each role is asked for once. */
  lacks(roles: Iterable<string>): boolean {
    const fresh = [...new Set(roles)].filter((role) => !Object.hasOwn(this.#places, role) && !this.#asked.has(role));
    fresh.forEach((role) => this.#asked.add(role));
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
