// The hue of a role: its place among the hues of the world, which the server gives when somebody first wears it.
import { hashOf } from './face.ts';

/** How many hues there are, and how the ring is drawn from the fifteenth, the twenty-ninth, … role on. */
export const HUES = 14;
export const DASHES = ['', '5 2.5', '1.5 2.5', '9 1.5 1.5 1.5'];

/** How a role is drawn: its hue from 1 to 14, and how its ring is dashed. */
export interface Hue { slot: number; dash: string }

/** The place of each role that somebody has worn. */
export type Places = Readonly<Record<string, number>>;

/** The hue of a role; one that nobody has worn has that of its name, as it would have in a world of its own. */
export function hueOf(places: Places, role: string): Hue {
  const place = Object.hasOwn(places, role) ? (places[role] ?? 0) : hashOf(role) % HUES;
  return { slot: (place % HUES) + 1, dash: DASHES[Math.min(DASHES.length - 1, Math.floor(place / HUES))] ?? '' };
}
