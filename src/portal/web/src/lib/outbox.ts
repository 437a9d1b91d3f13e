// Requests to the outside that wait to be approved, and the parts of the bytes that would leave.
import { nearest, readJson } from './exact.ts';
import { isMap } from './value.ts';
import type { Json, JsonMap } from './wire.ts';

/** A request that waits: `request` is the hash of `bytes`. */
export interface Petition { bridge: string; wake: string; request: string; bytes: string; asker: string; root: string | null; most: number; money: number; by: string | null; until: number | null }
/** What would leave, as far as it can be told apart. */
export interface Leaving { method: string; url: string; type: string; body: string }

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number | null => nearest(value);

/** What the inbox of whoever is asked, or the outbox, says of it; null where it is none. */
export function petitionOf(value: Json | undefined): Petition | null {
  if (!isMap(value) || text(value['request']) === '' || text(value['wake']) === '') return null;
  const cost: JsonMap = isMap(value['cost']) ? value['cost'] : {};
  return {
    bridge: text(value['bridge']), wake: text(value['wake']), request: text(value['request']), bytes: text(value['bytes']), asker: text(value['asker']), root: text(value['root']) || null,
    most: number(cost['bytes']) ?? 0, money: number(cost['money']) ?? 0, by: text(value['by']) || null, until: number(value['until']),
  };
}

/** All that wait, the first to expire first, and how many more there are. */
export function petitionsOf(value: Json | undefined): { petitions: Petition[]; more: number } {
  const list = isMap(value) ? value['list'] : value;
  const petitions = (Array.isArray(list) ? list : []).flatMap((each) => petitionOf(each) ?? []);
  return { petitions, more: (isMap(value) ? number(value['more']) : null) ?? 0 };
}

/** The parts of the bytes; a body that is JSON is written out in lines. */
export function leavingOf(bytes: string): Leaving | null {
  let parsed: unknown;
  try { parsed = readJson(bytes); } catch { return null; }
  const map = parsed as Json;
  if (!isMap(map) || text(map['url']) === '') return null;
  const body = text(map['body']);
  let shown = body;
  try {
    const parsed: unknown = JSON.parse(body);
    // In lines only where nothing of it is written otherwise by that: a number may be too large, or a key stand twice.
    if (JSON.stringify(parsed) === body) shown = JSON.stringify(parsed, null, 2);
  } catch { /* It is text. */ }
  return { method: text(map['method']), url: text(map['url']), type: text(map['type']), body: shown };
}
