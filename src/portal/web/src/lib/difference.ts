// What differs between two points of the past, in words, and sorted by what it is about.
import { written } from './exact.ts';
import type { DiffLine, Json } from './wire.ts';
import { count } from './words.ts';

/** How much of a value is told. */
const TOLD = 120;

/** A value as people read it: text as it is, words with commas between them, nothing as a dash. */
export function valueText(value: Json | undefined): string {
  if (value === null || value === undefined) return '–';
  const isWords = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
  const text = typeof value === 'string' ? value : isWords ? value.join(', ') : written(value);
  return text.length > TOLD ? `${text.slice(0, TOLD - 1)}…` : text;
}

const isNothing = (value: Json | undefined): boolean => value === null || value === undefined;

/** The parts of a thing that have a word for their change. */
const CHANGES: Record<string, (is: Json | undefined) => string> = { position: () => 'moved', ended: (is) => (is === true ? 'ended' : 'lives') };

/** What of a thing differs: `moved`, `was born`, a path. */
export function partText({ kind, what, was, is, lines }: DiffLine): string {
  const of = what.replace(/^qualities\./, '');
  if (of === '' && isNothing(was)) return kind === 'being' ? 'was born' : 'is new';
  if (of === '' && isNothing(is)) return 'is gone';
  if (of === '' && lines !== null && lines !== undefined) return `${count(lines, 'line')} ${lines === 1 ? 'differs' : 'differ'}`;
  return CHANGES[of]?.(is) ?? of;
}

/** Whether both sides say something that fits in a line: what is new or a long text is told by its part alone. */
export const hasSides = ({ what, lines }: DiffLine): boolean => what !== '' && (lines === null || lines === undefined);

const ORDER = ['being', 'space', 'matter', 'claim', 'signal', 'role', 'script', 'rule', 'extension', 'setting'];
const CALLED: Record<string, string> = {
  being: 'Beings', space: 'Spaces', matter: 'Things', claim: 'Claims', signal: 'Signals', role: 'Roles', script: 'Scripts', rule: 'Rules', extension: 'Extensions', setting: 'Settings',
};

/** What differs of one thing. */
export interface Changed { kind: string; of: string; lines: DiffLine[] }

/** The differences by kind and by thing, in one order. */
export function grouped(lines: DiffLine[]): { kind: string; called: string; things: Changed[] }[] {
  const kinds = new Map<string, Map<string, DiffLine[]>>();
  for (const line of lines) {
    const things = kinds.get(line.kind) ?? new Map<string, DiffLine[]>();
    things.set(line.of, [...(things.get(line.of) ?? []), line]);
    kinds.set(line.kind, things);
  }
  const place = (kind: string): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds].sort(([a], [b]) => place(a) - place(b))
    .map(([kind, things]) => ({ kind, called: CALLED[kind] ?? kind, things: [...things].map(([of, found]) => ({ kind, of, lines: found })) }));
}
