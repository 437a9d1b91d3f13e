// What a table comes to: of a survey the answers to each question, of a sweep each measure in each arm and against the first one.
import type { Table } from './csv.ts';
import { mean, meanOf, shareOf, type Estimate } from './stats.ts';

export type TableKind = 'survey' | 'sweep' | 'other';
/** One estimate: whose, and of which answer where it is a share. */
export interface Figure extends Estimate { label: string; answer: string | null }
/** The figures of one question or measure, on one axis. `missing`: rows without an answer or a number. `note`: what else is to be known. */
export interface Panel { name: string; of: 'mean' | 'share' | 'difference'; figures: Figure[]; missing: number; note: string }

/** By what answers are put together. */
export const GROUPINGS = ['all', 'point', 'being', 'role'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** So many different answers are told; the others are one. */
const ANSWERS_MAX = 12;
const OTHERS = 'all others';

/** Which command made a table, by its columns. */
export function kindOf({ columns }: Table): TableKind {
  const has = (...names: string[]): boolean => names.every((name) => columns.includes(name));
  return has('point', 'being', 'item', 'answer') ? 'survey' : has('arm', 'seed', 'replicate', 'measure', 'value', 'draws') ? 'sweep' : 'other';
}

/** The rows by what stands in a column, in the order in which it comes first. */
function parted<T>(rows: T[], key: (row: T) => string): [string, T[]][] {
  const parts = new Map<string, T[]>();
  for (const row of rows) {
    const part = parts.get(key(row));
    if (part) part.push(row);
    else parts.set(key(row), [row]);
  }
  return [...parts];
}

/** A cell as a number; nothing where it is none. */
export function numberIn(text: string): number | null {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Each question: the mean where all answers are numbers, else the share of each answer. */
export function surveyed(table: Table, by: Grouping, asChoices: boolean): Panel[] {
  const at = (name: string): number => table.columns.indexOf(name);
  const [item, answer, group, note] = [at('item'), at('answer'), by === 'all' ? -1 : at(by), at('note')];
  // One answer under two names of its point is one answer, but where points are told apart.
  const counted = table.rows.filter((row) => by === 'point' || !(row[note] ?? '').startsWith('same as '));
  return parted(counted, (row) => row[item] ?? '').map(([name, rows]) => {
    const answered = rows.filter((row) => (row[answer] ?? '') !== '');
    const missing = rows.length - answered.length;
    const groups = parted(answered, (row) => (group < 0 ? 'all' : (row[group] ?? '')));
    if (!asChoices && answered.length > 0 && answered.every((row) => numberIn(row[answer] ?? '') !== null)) {
      return { name, of: 'mean', missing, note: '', figures: groups.map(([label, rows]) => ({ label, answer: null, ...meanOf(rows.map((row) => Number(row[answer]))) })) };
    }
    const counts = parted(answered, (row) => row[answer] ?? '').sort(([, a], [, b]) => b.length - a.length).map(([text]) => text);
    const [told, others] = counts.length > ANSWERS_MAX ? [counts.slice(0, ANSWERS_MAX - 1), counts.slice(ANSWERS_MAX - 1)] : [counts, []];
    const rest = new Set(others);
    const figures = groups.flatMap(([label, rows]) => {
      const share = (text: string, is: (given: string) => boolean): Figure => ({ label, answer: text, ...shareOf(rows.filter((row) => is(row[answer] ?? '')).length, rows.length) });
      return [...told.map((text) => share(text, (given) => given === text)), ...(rest.size > 0 ? [share(OTHERS, (given) => rest.has(given))] : [])];
    });
    return { name, of: 'share', missing, note: rest.size > 0 ? `${rest.size} rarer answers are told as one` : '', figures };
  });
}

/** `copy`: it comes out as the first replicate does, since no model was asked. */
interface Run { arm: string; seed: string; replicate: string; value: number; copy: boolean }

/** What counts as one draw: the mean of a seed's replicates; where there is but one seed, each replicate. */
function draws(runs: Run[]): number[] {
  const seeds = parted(runs, (run) => run.seed);
  return seeds.length > 1 ? seeds.map(([, runs]) => mean(runs.map((run) => run.value))) : runs.map((run) => run.value);
}

/** Each measure in each arm, and what each other arm has more than the first one from the same seed. */
export function swept(table: Table): Panel[] {
  const at = Object.fromEntries(['arm', 'seed', 'replicate', 'measure', 'value', 'draws'].map((name) => [name, table.columns.indexOf(name)]));
  const cell = (row: string[], name: string): string => row[at[name] ?? -1] ?? '';
  return parted(table.rows, (row) => cell(row, 'measure')).flatMap(([name, rows]) => {
    const runs = rows.flatMap((row): Run[] => {
      const value = numberIn(cell(row, 'value'));
      return value === null ? [] : [{ arm: cell(row, 'arm'), seed: cell(row, 'seed'), replicate: cell(row, 'replicate'), value, copy: cell(row, 'draws') === 'copy' }];
    });
    const missing = rows.length - runs.length;
    const arms = parted(runs, (run) => run.arm);
    // The first arm of the table is the one that all are held against, also where it has no number here.
    const first = cell(table.rows[0] ?? [], 'arm');
    const unit = new Set(runs.map((run) => run.seed)).size > 1 ? 'n counts seeds; replicates of one are averaged' : 'n counts replicates of the only seed';
    const figures = arms.map(([label, runs]) => ({ label, answer: null, ...meanOf(draws(runs.filter((run) => !run.copy))) }));
    const base = new Map((arms.find(([arm]) => arm === first)?.[1] ?? []).map((run) => [`${run.seed} ${run.replicate}`, run]));
    const against = arms.filter(([arm]) => arm !== first).flatMap(([arm, runs]) => {
      const pairs = runs.flatMap((run) => { const other = base.get(`${run.seed} ${run.replicate}`); return other === undefined || (run.copy && other.copy) ? [] : [{ ...run, value: run.value - other.value }]; });
      return pairs.length > 0 ? [{ label: arm, answer: null, ...meanOf(draws(pairs)) }] : [];
    });
    const panels: Panel[] = [{ name, of: 'mean', figures, missing, note: unit }];
    return against.length > 0 ? [...panels, { name: `${name}, less that of ${first}`, of: 'difference', figures: against, missing: 0, note: `pairs of the same seed and replicate; ${unit}` }] : panels;
  });
}

/** A number as it is read. */
export const figureText = (value: number | null): string => (value === null ? '' : Number(value.toPrecision(4)).toString());
/** A share in percent, else a number. */
export const valueText = (value: number | null, of: Panel['of']): string => (value === null ? '' : of === 'share' ? `${Math.round(value * 1000) / 10} %` : figureText(value));

/** All figures as a table of their own. */
export const figuresTable = (panels: Panel[], of: string): Table => ({
  columns: [of, 'what', 'group', 'answer', 'n', 'value', 'low95', 'high95', 'missing'],
  rows: panels.flatMap((panel) => panel.figures.map(({ label, answer, n, value, low, high }) =>
    [panel.name, panel.of, label, answer ?? '', String(n), String(value), low === null ? '' : String(low), high === null ? '' : String(high), String(panel.missing)])),
});

/** The ends of an axis, and round numbers on it. */
export function axisOf({ figures, of }: Panel): { from: number; to: number; ticks: number[] } {
  if (of === 'share') return { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
  const ends = figures.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  if (of === 'difference') ends.push(0);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const span = most - least || Math.abs(most) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10);
  const [from, to] = [Math.floor((least - span * 0.04) / step) * step, Math.ceil((most + span * 0.04) / step) * step];
  return { from, to, ticks: Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => Number((from + index * step).toPrecision(12))) };
}

/** The rows in which a text stands, in an order: by numbers where all are, else by letters. */
export function arranged({ columns, rows }: Table, find: string, by: number | null, isDown: boolean): string[][] {
  const text = find.trim().toLowerCase();
  const found = text ? rows.filter((row) => row.some((cell) => cell.toLowerCase().includes(text))) : [...rows];
  if (by === null || by >= columns.length) return found;
  const isNumeric = found.every((row) => (row[by] ?? '') === '' || numberIn(row[by] ?? '') !== null);
  const compare = (a: string, b: string): number => (isNumeric ? (numberIn(a) ?? -Infinity) - (numberIn(b) ?? -Infinity) || 0 : a < b ? -1 : a > b ? 1 : 0);
  return found.sort((a, b) => (isDown ? -1 : 1) * compare(a[by] ?? '', b[by] ?? ''));
}
