// What woke a being, for people: days and times instead of milliseconds, moments instead of the ids of facts.
import { isByGesture, isScheduled } from './moment.ts';
import type { Json } from './wire.ts';
import { isMap, plain } from './value.ts';
import { timeOf } from './words.ts';

/** A line about a wake: what it is, and either a value or a moment. */
export interface Row { name: string; value?: Json; moment?: number }

const NAMES: Record<string, string> = { from: 'by', name: 'schedule', path: 'signal', callerRole: 'who wore', inReplyTo: 'answers what was said in', content: 'said', intent: 'meant as' };
const SHOWN = ['from', 'callerRole', 'name', 'path', 'intent', 'content'];

/** The moment that a fact stands in: `102.1` is in moment 102. */
export const momentOf = (made: Json | undefined): number | null => (typeof made === 'string' && /^\d+\.\d+$/.test(made) ? Number(made.split('.')[0]) : null);

/** The lines about a wake of the moment `seq`; `like` is an instant written in the world's zone. */
export function wakeRows(wake: Json | undefined, seq: number, like: string): Row[] {
  if (!isMap(wake)) return [];
  const rows: Row[] = SHOWN.filter((key) => wake[key] !== null && wake[key] !== undefined && wake[key] !== '').map((key) => ({ name: NAMES[key] ?? key, value: wake[key] ?? null }));
  const kind = plain(wake['kind']);
  const due = typeof wake['due'] === 'number' && !isByGesture(kind) ? timeOf(wake['due'], like) : '';
  if (due) rows.push({ name: 'due', value: due });
  const caused = momentOf(wake['cause']);
  if (caused !== null && caused !== seq) rows.push({ name: isScheduled(kind) ? 'set in' : 'caused in', moment: caused });
  const answers = momentOf(wake['inReplyTo']);
  if (answers !== null) rows.push({ name: NAMES['inReplyTo'] ?? '', moment: answers });
  return rows;
}

/** Keys under which facts and registers keep instants, in milliseconds. */
const INSTANTS = ['at', 'due', 'until', 'since', 'setAt', 'next'];
/** Instants before 1973 are told as numbers: they may as well be counts. */
const INSTANT_MIN = 100_000_000_000;

/** An instant of the world as a day and a time, where a key holds one; else null. */
export function instantOf(key: string, value: Json | undefined, like: string | undefined): string | null {
  return INSTANTS.includes(key) && typeof value === 'number' && Number.isInteger(value) && value >= INSTANT_MIN ? timeOf(value, like) : null;
}

