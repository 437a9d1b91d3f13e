// The differences between two worlds are parted: some are the operator's own hand, others came of themselves.
import { isDone } from './moment.ts';
import type { DiffLine, Report } from './wire.ts';
import { bare } from './words.ts';

/** What hangs on what the operator sets of a being, by the first word of the operation. */
const FOLLOWS: Record<string, string[]> = { flow: ['flow', 'wearing'], role: ['flow', 'wearing'], schedule: ['schedules'], grant: ['grants'], settings: ['settings'], config: ['settings'] };
const THINGS = ['being', 'space', 'matter'];

/** Whether an act of the operator made that difference: it set this very key, this part of a being, or this thing. */
function isMadeBy(line: DiffLine, { action, target, deed }: Report): boolean {
  if (!THINGS.includes(line.kind)) return deed.includes(JSON.stringify(line.of));
  if (target !== line.of) return false;
  if (line.kind !== 'being') return true;
  const [first = ''] = (action ?? '').split('.');
  const [part = ''] = line.what.split('.');
  return (FOLLOWS[first] ?? [first]).includes(part);
}

/** The differences that came of themselves, and those that the operator made, by what the operator did since the two parted. */
export function ownApart(lines: DiffLine[], acts: Report[], operator: string): { free: DiffLine[]; own: DiffLine[] } {
  const isOwn = (line: DiffLine): boolean => (THINGS.includes(line.kind) && bare(line.of) === bare(operator)) || acts.some((act) => isMadeBy(line, act));
  return { free: lines.filter((line) => !isOwn(line)), own: lines.filter(isOwn) };
}

/** Of the moments of an operator those that changed something since a seq, the oldest first. */
export const actsSince = (moments: Report[], seq: number): Report[] =>
  moments.filter((moment) => moment.seq >= seq && isDone(moment)).toSorted((a, b) => a.seq - b.seq);
