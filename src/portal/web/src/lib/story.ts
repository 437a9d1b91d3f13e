// What happened as rows that people read: what is rare stays, looks and routine fold into counts, equal deeds of several are one row, a turn of the world has a row of its own.
//
// Rows are made from the oldest moment on, so that what comes later changes no row but the last ones.
import { moodOf, shortRole } from './face.ts';
import { isAsked, isByGesture, isDeed, isDone, isFailed, isLook, isOfIdentity, isRefused, isRequeued, isSummons } from './moment.ts';
import { isSaidIn, placeText, plainText, sentenceOf, subjects, type Part } from './sentence.ts';
import type { Report } from './wire.ts';
import { count } from './words.ts';

export type View = 'story' | 'all' | 'talk';
export type Kind = 'told' | 'group' | 'fold' | 'turn';

/** One row: the moments in it, the newest last. A turn that nobody made by a deed of their own has none. */
export interface Row { key: string; kind: Kind; seq: number; at: number; time: string; reports: Report[]; beings: string[]; parts: Part[]; isOn?: boolean }

const HOUR_MS = 3_600_000;
/** A deed is routine that makes up more than this share of an hour. */
const ROUTINE_SHARE = 0.05;
/** And that is done so often in one; a shorter past is reckoned up to an hour. */
const ROUTINE_LEAST = 8;
/** So often it must have been done to be reckoned so. */
const ROUTINE_SEEN = 3;
const ROUTINE_SPAN_MS = 60_000;
/** Within so long equal deeds of several are one row. */
const TOGETHER_MS = 90_000;
/** So many rows back somebody who joins is looked for. */
const TOGETHER_ROWS = 12;
/** Within so long others come to wear the same, by the same turn. */
const TURN_MS = 120_000;
const TURN_LEAST = 3;
/** After a signal so many are enough. */
const TURN_LEAST_BY_SIGNAL = 2;
/** So many rows back the deed is looked for that led to a turn. */
const CAUSE_ROWS = 40;
/** So many rows back a count is looked for that was begun a moment ago. */
const FOLD_ROWS = 8;
/** A fold tells of no longer than this. */
const FOLD_MS = HOUR_MS;

/** Whether somebody says something in it. */
export const isTalk = (report: Report): boolean => isDone(report) && (isSaidIn(report.told) || isSummons(report));

/** Whether a person did it, or it was done by a gesture of one. */
export const isByPerson = ({ cognition, driver, wake }: Report): boolean => cognition === 'human' || !!driver || isByGesture(wake);
/** Whether it is never folded: what did not go well, what a person does, what is said, who is born and driven. */
export const isRare = (report: Report): boolean =>
  isByPerson(report) || isTalk(report) || isOfIdentity(report) || !(isDone(report) || isLook(report) || isAsked(report));

/** Which of the moments, the oldest first, are routine: each by the hour that lies before it. */
function routineOf(reports: Report[]): Set<number> {
  const routine = new Set<number>();
  const counts = new Map<string, number>();
  let from = 0;
  reports.forEach((report, index) => {
    const key = report.action ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
    for (let oldest = reports[from]; oldest && oldest.at < report.at - HOUR_MS; oldest = reports[from]) {
      counts.set(oldest.action ?? '', (counts.get(oldest.action ?? '') ?? 1) - 1);
      from += 1;
    }
    const many = counts.get(key) ?? 0;
    const span = from > 0 ? HOUR_MS : Math.max(ROUTINE_SPAN_MS, report.at - (reports[0]?.at ?? report.at));
    const isOften = many >= ROUTINE_SEEN && (many * HOUR_MS) / Math.min(span, HOUR_MS) >= ROUTINE_LEAST;
    if (isDeed(report) && key !== '' && isOften && many > ROUTINE_SHARE * (index + 1 - from)) routine.add(report.seq);
  });
  return routine;
}

const NUMBERS = ['nobody', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
/** `six people`; in digits from 13 on. */
export const people = (number: number): string => `${NUMBERS[number] ?? number.toLocaleString('en')} ${number === 1 ? 'person' : 'people'}`;
const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** What a fold counts: steps and where, looks, thoughts. */
function foldText(reports: Report[]): string {
  const [looks, thoughts] = [reports.filter(isLook), reports.filter(isAsked)];
  const steps = reports.filter((report) => !isLook(report) && !isAsked(report));
  const places = new Set(steps.map((report) => report.space || report.place));
  const place = [...places][0] ?? '/';
  return [
    steps.length > 0 ? `${count(steps.length, 'step')}${places.size === 1 && place !== '/' ? ` ${placeText(place)}` : ''}` : '',
    looks.length > 0 ? `${count(looks.length, 'look')}${steps.length > 0 ? '' : ' around'}` : '',
    thoughts.length > 0 ? count(thoughts.length, 'thought') : '',
  ].filter(Boolean).join(', ');
}

const wornText = (modifier: string, isOn: boolean, many: number): string => `${people(many)} ${many === 1 ? 'is' : 'are'} ${isOn ? '' : 'no longer '}${shortRole(modifier).replaceAll('-', ' ')}`;

interface Change { modifier: string; isOn: boolean; first: number; last: number; beings: Set<string>; causes: string[]; row: Row | null; head: Part[] }

/** Who comes to wear a modifier or wears it no more, together with others: that is a turn of the world. */
class Turns {
  #worn = new Map<string, Set<string>>();
  #changes = new Map<string, Change>();
  #signal: Row | null = null;
  #rows: Row[];
  constructor(rows: Row[]) { this.#rows = rows; }

  signal(row: Row): void { this.#signal = row; }

  see(report: Report): void {
    if (report.stack.length === 0) return;
    const now = new Set(report.stack.slice(1).filter((modifier) => moodOf([modifier]) !== null));
    const before = this.#worn.get(report.being);
    this.#worn.set(report.being, now);
    if (!before) return;
    for (const modifier of now) if (!before.has(modifier)) this.#note(report, modifier, true);
    for (const modifier of before) if (!now.has(modifier)) this.#note(report, modifier, false);
  }

  #note(report: Report, modifier: string, isOn: boolean): void {
    const key = `${isOn} ${modifier}`;
    let change = this.#changes.get(key);
    if (!change || report.at - change.last > TURN_MS) this.#changes.set(key, (change = { modifier, isOn, first: report.at, last: report.at, beings: new Set(), causes: [], row: null, head: [] }));
    change.last = report.at;
    change.beings.add(report.being);
    change.causes.push(report.cause.split('.')[0] ?? '');
    const signal = this.#signal && change.first - this.#signal.at <= TURN_MS ? this.#signal : null;
    if (change.row === null && change.beings.size >= (signal ? TURN_LEAST_BY_SIGNAL : TURN_LEAST)) this.#tell(change, report, signal ?? this.#causeOf(change));
    if (change.row === null) return;
    const text = wornText(modifier, isOn, change.beings.size);
    change.row.parts = change.head.length > 0 ? [...change.head, { text: `, so ${text}` }] : [{ text: capital(text) }];
    change.row.beings = [...change.beings];
  }

  /** The row of the deed that woke most of them, where it has one of its own and no other turn was told by it. */
  #causeOf({ causes }: Change): Row | null {
    const [cause, ...others] = [...new Set(causes)].toSorted((one, other) => causes.filter((each) => each === other).length - causes.filter((each) => each === one).length);
    if (others.length > 0 && causes.filter((each) => each === cause).length * 2 < causes.length) return null;
    return this.#rows.slice(-CAUSE_ROWS).find((row) => row.kind === 'told' && String(row.seq) === cause && row.reports.slice(0, 1).some(isDone)) ?? null;
  }

  #tell(change: Change, report: Report, by: Row | null): void {
    // A signal has one consequence told with it.
    if (by === this.#signal) this.#signal = null;
    if (by) {
      change.head = by.parts;
      by.kind = 'turn';
      by.isOn = change.isOn;
    }
    change.row = by ?? { key: `turn-${report.seq}-${change.modifier}`, kind: 'turn', seq: report.seq, at: report.at, time: report.time, reports: [], beings: [], parts: [], isOn: change.isOn };
    if (!by) this.#rows.push(change.row);
  }
}

const rowOf = (kind: Kind, report: Report, parts: Part[]): Row =>
  ({ key: String(report.seq), kind, seq: report.seq, at: report.at, time: report.time, reports: [report], beings: [report.being], parts });
const single = (report: Report): Row => rowOf('told', report, sentenceOf(report));

/** Adds a look, a thought or a step of routine to the count on top or to one of a moment ago, or begins one. */
function fold(rows: Row[], report: Report): void {
  const last = rows.at(-1);
  const isOnTop = last?.kind === 'fold' && report.at - (last.reports[0]?.at ?? 0) < FOLD_MS;
  const open = isOnTop ? last : rows.slice(-FOLD_ROWS).findLast((row) => row.kind === 'fold' && report.at - (row.reports[0]?.at ?? 0) <= TOGETHER_MS);
  if (!open) {
    rows.push(rowOf('fold', report, []));
    return;
  }
  open.reports.push(report);
  if (!open.beings.includes(report.being)) open.beings.push(report.being);
  // Below others it stays at its time.
  if (isOnTop) [open.seq, open.at, open.time] = [report.seq, report.at, report.time];
}

/** Adds a deed to the row of those who do the same, or tells it by itself. */
function gather(rows: Row[], report: Report): void {
  const deed = report.told;
  const key = plainText(deed);
  const same = rows.slice(-TOGETHER_ROWS).find((row) =>
    (row.kind === 'told' || row.kind === 'group') && report.at - row.at <= TOGETHER_MS && !row.beings.includes(report.being) && row.reports.every((other) => !isRare(other) && other.action === report.action && plainText(other.told) === key));
  if (!same) {
    rows.push(single(report));
    return;
  }
  same.kind = 'group';
  same.reports.push(report);
  same.beings.push(report.being);
  same.parts = [...subjects(same.beings), { text: ' ' }, ...deed];
}

/** The key of the row of what plants a world. */
const PLANTING = 'planting';
/** What plants a world: what its operator and the world itself do at the instant at which it begins, without a word. */
const isPlanting = (report: Report, began: number | null): boolean => began !== null && report.at === began && isDone(report) && !report.said && isByGesture(report.wake);

/** Adds an act of the planting to the one row of it. */
function plant(rows: Row[], report: Report): void {
  const row = rows.find((each) => each.key === PLANTING) ?? { ...rowOf('group', report, []), key: PLANTING, reports: [] };
  if (row.reports.length === 0) rows.push(row);
  row.reports.push(report);
  row.parts = [{ text: `The world was planted, in ${count(row.reports.length, 'act')}` }];
}

/** The rows of a view, the newest first, of moments that come the newest first, in a world that began at an instant, where that is known. */
export function storyOf(reports: readonly Report[], view: View = 'story', began: number | null = null): Row[] {
  if (view === 'all') return reports.map((report) => single(report));
  if (view === 'talk') return reports.filter(isTalk).map((report) => single(report));
  const past = reports.toReversed();
  const routine = routineOf(past);
  const rows: Row[] = [];
  const turns = new Turns(rows);
  for (const report of past) {
    turns.see(report);
    if (isPlanting(report, began)) {
      plant(rows, report);
      continue;
    }
    if (report.turn && report.turn.length > 0) {
      const row = rowOf('turn', report, report.turn);
      rows.push(row);
      turns.signal(row);
    } else if (isRare(report)) rows.push(single(report));
    else if (isLook(report) || isAsked(report) || routine.has(report.seq)) fold(rows, report);
    else gather(rows, report);
  }
  for (const row of rows) if (row.kind === 'fold') row.parts = [{ text: foldText(row.reports) }];
  return rows.toReversed();
}

/** The moments of a row of which one may ask why: a fold and the planting are counts, and a turn by itself has none. */
export const askable = (row: Row): Report[] => (row.kind === 'fold' || row.key === PLANTING ? [] : row.reports);

/** How a row is drawn beside its words: what did not go well has a sign of its own. */
export function toneOf(row: Row): 'refused' | 'failed' | 'turn' | 'fold' | '' {
  if (row.kind === 'turn' || row.kind === 'fold') return row.kind;
  if (row.reports.some(isFailed)) return 'failed';
  return row.reports.some((report) => isRefused(report) || isRequeued(report)) && row.reports.every((report) => !isLook(report) && !isAsked(report)) ? 'refused' : '';
}

