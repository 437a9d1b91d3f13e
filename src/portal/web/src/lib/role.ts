// A role as it is being written: what was read, with what somebody has changed in it. Nothing else of it is touched, whatever it holds.
import { defaultOf } from './known.ts';
import type { Json, JsonMap } from './wire.ts';
import { same } from './value.ts';

/** What holds at a key: what is written there, or what a role is without it. */
export const valueAt = (role: JsonMap, key: string): Json | undefined => (Object.hasOwn(role, key) ? role[key] : defaultOf(key));

/**
 * The role with one key changed. A key that would say what a role is without it is left out, as the server writes it; an empty list stays
 * where a role without that key is something else.
 */
export function withKey(role: JsonMap, key: string, value: Json): JsonMap {
  const rest = Object.fromEntries(Object.entries(role).filter(([other]) => other !== key));
  const isDefault = value === null || value === '' || same(value, defaultOf(key));
  return isDefault ? rest : { ...rest, [key]: value };
}
