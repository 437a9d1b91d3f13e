// The lanes of a being's life: where its bands and marks lie, of which kind they are, and what they say.
import { tokensOf } from './cost.ts';
import { isDone } from './moment.ts';
import { plainText } from './sentence.ts';
import { instantText, shareOf } from './timeline.ts';
import type { LaneMark, Lanes, Report } from './wire.ts';
import { count, hourOf } from './words.ts';

/** The times between which all of it is drawn. */
export interface Axis { began: string; ended: string }

/** A moment as it is drawn. */
export type Mark = Omit<LaneMark, 'n'>;
/** A life as it is drawn. */
export type Life = Omit<Lanes, 'marks'> & { marks: Mark[] };

const NO_COST = { calls: 0, input: 0, output: 0, money: 0 };

/** A life with what its being has done since, each moment by itself. */
export function lived(life: Life, reports: Report[]): Life {
  if (reports.length === 0) return life;
  const [marks, wore, stood] = [[...life.marks], [...life.wore], [...life.stood]];
  for (const { seq, time, wake, closing, reason, deed, told, verb, action, target, said, cost, stack, space } of reports) {
    const { calls, input, output, money } = cost ?? NO_COST;
    marks.push({ seq, time, wake, closing, reason: reason ?? null, deed, told, verb: verb ?? null, action: action ?? null, target: target ?? null, said: said ?? null, cost: { calls, input, output, money }, others: 0 });
    if (wore.at(-1)?.stack.join() !== stack.join()) wore.push({ time, by: seq, stack });
    if (stood.at(-1)?.space !== space) stood.push({ time, by: seq, space });
  }
  return { ...life, marks, wore, stood, moments: life.moments + reports.length };
}

/** Each band with its ends, from 0 to 1: it lasts until the next, the last to the end. What lies outside is left out. */
export function stretched<T extends { time: string }>(bands: T[], { began, ended }: Axis): { band: T; left: number; right: number; until: string | null }[] {
  return bands.flatMap((band, index) => {
    const until = bands[index + 1]?.time ?? null;
    const [left, right] = [shareOf(band.time, began, ended), until === null ? 1 : shareOf(until, began, ended)];
    return right > left || (began === ended && index === bands.length - 1) ? [{ band, left, right: Math.max(right, left), until }] : [];
  });
}

/** What lies within the times between which all of it is drawn. */
export function within<T extends { time: string }>(marks: T[], { began, ended }: Axis): T[] {
  const [first, last] = [Date.parse(began), Date.parse(ended)];
  return marks.filter(({ time }) => Date.parse(time) >= first && Date.parse(time) <= last);
}

/** The bands of those modifiers that were worn on a primary, each by itself, the most worn first. */
export function modifiersIn(stacks: string[][]): string[] {
  const counts = new Map<string, number>();
  for (const stack of stacks) for (const role of stack.slice(1)) counts.set(role, (counts.get(role) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([role]) => role);
}

/** Whether a being says something in it. */
export const isSaid = ({ said, closing }: Pick<LaneMark, 'said' | 'closing'>): boolean => Boolean(said) && isDone({ closing });

/** A mark of somebody's life in a sentence: when, what was done, why not, and how many others lie there. */
export function markText(mark: Mark): string {
  const when = `${instantText(mark.time).replace(/ \d\d:\d\d$/, '')} ${hourOf(mark.time)}`;
  const cost = mark.cost.calls > 0 ? ` (${count(tokensOf(mark.cost), 'token')})` : '';
  const others = mark.others > 0 ? `, and ${count(mark.others, 'other moment')} close by` : '';
  return `${when} ${plainText(mark.told)}${cost}${others}`;
}

/** The mark that lies nearest to a place, if one lies so near. */
export function nearest<T extends { time: string }>(marks: T[], place: number, axis: Axis, near: number): T | null {
  let best: T | null = null;
  let least = near;
  for (const mark of marks) {
    const away = Math.abs(shareOf(mark.time, axis.began, axis.ended) - place);
    if (away <= least) [best, least] = [mark, away];
  }
  return best;
}
