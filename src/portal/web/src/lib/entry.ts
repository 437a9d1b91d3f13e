// Entries of can* lists as people read them: `here`, `move on self`, `signal.set in skateco`.
import { written } from './exact.ts';
import { known, sayingOf, wordsIn } from './known.ts';
import type { Json, JsonMap } from './wire.ts';
import { isMap } from './value.ts';

/** An entry in words. */
export function entryText(entry: Json): string {
  if (typeof entry === 'string') return entry;
  if (!isMap(entry)) return written(entry);
  const { rel, pattern, action, on, ns, ...rest } = entry;
  if (Object.keys(rest).length > 0) return written(entry);
  if (typeof rel === 'string') return sayingOf(known().relations, rel);
  if (typeof pattern === 'string') return `anybody like ${pattern}`;
  if (typeof action !== 'string') return written(entry);
  const where = on === undefined ? '' : ` on ${entryText(on)}`;
  return `${action}${where}${ns === undefined ? '' : ` in ${typeof ns === 'string' ? ns : written(ns)}.*`}`;
}

/** What an entry is written from in the form of the role page. */
export interface Draft { kind: 'name' | 'relation' | 'pattern' | 'bound'; text: string; on: string; ns: string }

/** The entry that a draft means; null while something is missing. */
export function entryOf(draft: Draft): Json | null {
  const text = draft.text.trim();
  if (text === '') return null;
  switch (draft.kind) {
    case 'name': return text;
    case 'relation': return { rel: text };
    case 'pattern': return { pattern: text };
    case 'bound': {
      const entry: JsonMap = { action: text };
      const on = draft.on.trim();
      if (on) entry['on'] = wordsIn(known().relations).includes(on) ? { rel: on } : on;
      if (draft.ns.trim()) entry['ns'] = draft.ns.trim();
      return entry;
    }
  }
}
