// Which hue a role has: one of twelve by the hash of its name; where that is taken the next free one, in the order in which roles are seen, and that is kept.
import { hashOf } from './face.ts';

/** How many hues there are, and how the ring is drawn from the thirteenth, the twenty-fifth, … role on. */
export const HUES = 12;
export const DASHES = ['', '5 2.5', '1.5 2.5', '9 1.5 1.5 1.5'];

/** A role's place: its hue from 1 to 12, and how its ring is dashed. */
export interface Hue { slot: number; dash: string }

/** Hues given to roles, by name: one number each, from 0; the hue is that modulo twelve. */
export type Given = Record<string, number>;

/** Gives a hue to each role that has none yet; those that are given stay. */
export function give(given: Given, roles: Iterable<string>): Given {
  const all = { ...given };
  const taken = new Set(Object.values(all));
  for (const role of roles) {
    if (all[role] !== undefined) continue;
    const round = Math.floor(taken.size / HUES) * HUES;
    let at = hashOf(role) % HUES;
    while (taken.has(round + at)) at = (at + 1) % HUES;
    all[role] = round + at;
    taken.add(round + at);
  }
  return all;
}

export const hueAt = (place: number): Hue => ({ slot: (place % HUES) + 1, dash: DASHES[Math.min(DASHES.length - 1, Math.floor(place / HUES))] ?? '' });
