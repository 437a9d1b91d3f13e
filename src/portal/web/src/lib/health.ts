// The beings that are held back in a place, and why, in words; and threads: all that goes back to one beginning, with the cost of each.
import { moneyText, numberText, spanText } from './cost.ts';
import { nearest } from './exact.ts';
import { codeOf } from './known.ts';
import { isMap } from './value.ts';
import { momentOf } from './wake.ts';
import type { Causes, Json, JsonMap } from './wire.ts';
import { bare, count, dayOf, hourOf } from './words.ts';

/** A count beside its limit. */
export interface Counted { count: number; most: number }
/** All that goes back to one fact; `began` is the address of whoever began it. */
export interface Thread { root: string; began: string | null; open: number; moments: number; calls: number; tokens: number; money: number }
/** Who is held back, and by what: each kind has a tag, and a line of why. */
export interface HeldBack { being: string; kind: Kind; why: string; until?: string; settings?: string }
export type Kind = 'brake' | 'nothing to wear' | 'connection' | 'budget' | 'watch' | 'chain' | 'words' | 'claim';
/** A being that is near a limit; the nearest of a limit come first. */
export interface Near extends Counted { being: string }
export interface Limit { key: string; title: string; near: Near[] }
export interface Waiting { being: string; wake: string; since: string }
export interface Out { connection: string; beings: number; code: string }
export interface Health { held: HeldBack[]; connections: Out[]; limits: Limit[]; failures: [string, number][]; waits: Waiting[]; threads: Thread[] }

/** As many of a kind as a server names at most. */
const NAMED_MAX = 64;

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number => nearest(value) ?? 0;
const entries = (value: Json | undefined): [string, Json][] => (isMap(value) ? Object.entries(value) : []);
const maps = (value: Json | undefined): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);
const each = <T>(value: Json | undefined, of: (name: string, map: JsonMap) => T): T[] => entries(value).flatMap(([name, map]) => (isMap(map) ? [of(name, map)] : []));

/** What a brake counts: each in the past, and the window in which it does. */
const BRAKES: Record<string, [string, string]> = { 'brakes.refusals': ['was refused', 'hour'], 'brakes.failures': ['failed', 'hour'], 'brakes.rate': ['woke', 'minute'] };
const LIMITS: Record<string, string> = {
  'brakes.refusals': 'Refusals in this hour', 'brakes.failures': 'Failures in this hour', 'brakes.rate': 'Moments in this minute', 'limits.inbox': 'Open wakes', 'limits.dead': 'Dead letters kept', 'limits.things': 'Things that lie here',
};

/** Why a brake holds: `was refused 100 times in this hour; the limit is 100`. */
export function brakeText(key: string, { count: times, most }: Counted): string {
  const [did, window] = BRAKES[key] ?? [key, 'window'];
  return `${did} ${count(times, 'time')} in this ${window}; the limit is ${numberText(most)}`;
}

/** A budget as a server names it, `hour calls of @ada`, in a sentence. */
export function budgetText(budget: string): string {
  const [, period, what, whose] = /^(\S+) (\S+) of (.+)$/.exec(budget) ?? [];
  return period === undefined ? `the budget has no room: ${budget}` : `the ${period}’s ${what} of ${whose} are used up`;
}

/** Which connection a being waits for, and in the words of its server why. */
const outText = ({ connection, code, why }: JsonMap): string => `waits for the connection ${text(connection)}, which answers nobody: ${text(why) || (codeOf(text(code))?.sentence ?? text(code))}`;

function heldIn(value: JsonMap): HeldBack[] {
  const braked = each(value['tripped'], (being, map): HeldBack => {
    const key = text(map['brake']);
    return { being, kind: 'brake', why: brakeText(key, { count: number(map['count']), most: number(map['most']) }), until: text(map['until']), settings: key };
  });
  const undressed = (Array.isArray(value['undressed']) ? value['undressed'] : []).map((being): HeldBack => ({ being: text(being), kind: 'nothing to wear', why: 'has no role that may be worn here, so it does nothing' }));
  const cut = each(value['held'], (being, map): HeldBack => ({ being, kind: 'connection', why: outText(map) }));
  const spent = each(value['outOfBudget'], (being, map): HeldBack => ({ being, kind: 'budget', why: budgetText(text(map['budget'])), until: text(map['until']) }));
  const resting = each(value['resting'], (being, watches): HeldBack => {
    const [entry, until] = Object.entries(watches)[0] ?? ['', ''];
    return { being, kind: 'watch', why: `its watch for ${entry} failed five times in a row`, until: text(until) };
  });
  const idle = maps(value['claims']).map((map): HeldBack => ({ being: text(map['by']), kind: 'claim', why: `has claimed ${text(map['on'])} and does nothing now: ${codeOf(text(map['holder']))?.sentence ?? text(map['holder'])}`, until: text(map['until']) }));
  const counted = (key: string, kind: Kind, settings: string, why: (many: number) => string): HeldBack[] =>
    entries(value[key]).map(([being, many]) => ({ being, kind, why: why(number(many)), settings }));
  return [
    ...braked, ...cut, ...spent, ...resting, ...undressed, ...idle,
    ...counted('withheld', 'chain', 'brakes.depth', (many) => `${count(many, 'wake')} of others ${many === 1 ? 'was' : 'were'} not made, since the chain of causes is too long`),
    ...counted('unheard', 'words', 'brakes.calls', (many) => `${count(many, 'word')} woke no model, since ${many === 1 ? 'its thread has' : 'their threads have'} used up the calls`),
  ];
}

function limitsIn(value: Json | undefined): Limit[] {
  const known = Object.keys(LIMITS);
  const limits = each(value, (key, near): Limit => ({ key, title: LIMITS[key] ?? key, near: each(near, (being, map) => ({ being, count: number(map['count']), most: number(map['most']) })).toSorted((one, other) => shareOf(other) - shareOf(one)) }));
  const place = ({ key }: Limit): number => (known.includes(key) ? known.indexOf(key) : known.length);
  return limits.filter(({ near }) => near.length > 0).toSorted((one, other) => place(one) - place(other));
}

/** How much of a limit is reached, from 0 to 1. */
export const shareOf = ({ count: reached, most }: Counted): number => (most > 0 ? Math.min(1, reached / most) : 1);

export function threadOf(map: JsonMap): Thread {
  const began = text(map['began']);
  return { root: text(map['root']), began: began || null, open: number(map['open']), moments: number(map['moments']), calls: number(map['calls']), tokens: number(map['tokens']), money: number(map['money']) };
}

/** A list of threads, whole or a page of it, and how many more there are. */
export function threadsOf(value: Json): { threads: Thread[]; more: number } {
  const list = isMap(value) ? value['list'] : value;
  return { threads: maps(list).map(threadOf), more: isMap(value) ? number(value['more']) : 0 };
}

/** The health of a place as the server tells it; what it does not tell is empty. */
export function healthOf(value: Json): Health {
  const map = isMap(value) ? value : {};
  return {
    held: heldIn(map),
    connections: each(map['connections'], (connection, out) => ({ connection, beings: number(out['beings']), code: text(out['code']) })),
    limits: limitsIn(map['nearest']),
    failures: entries(map['failures']).map(([code, many]): [string, number] => [code, number(many)]).toSorted(([, one], [, other]) => other - one),
    waits: maps(map['waits']).map((wait) => ({ being: text(wait['being']), wake: text(wait['wake']), since: text(wait['since']) })),
    threads: maps(map['threads']).map(threadOf),
  };
}

/** What is held back, in a sentence of the whole. */
export function summaryOf({ held, connections }: Pick<Health, 'held' | 'connections'>): string {
  if (held.length + connections.length === 0) return 'Nothing is held back.';
  const beings = new Set(held.map(({ being }) => being)).size;
  const out = connections.length > 0 ? `${count(connections.length, 'connection')} ${connections.length === 1 ? 'answers' : 'answer'} nobody` : '';
  const back = beings > 0 ? `${count(beings, 'being')} ${beings === 1 ? 'is' : 'are'} held back` : '';
  return `${[back, out].filter(Boolean).join(', and ')}.`;
}

/** An instant as it is told on its own day: the clock alone. */
export const instantIn = (iso: string, now: string | undefined): string => (dayOf(iso) === dayOf(now) ? hourOf(iso) : `${dayOf(iso)} ${hourOf(iso)}`);

/** How long something has waited: `40 s`, `12 min`, `5 h`, `3 days`. */
export function waitedText(since: string, now: string | undefined): string {
  const minutes = (Date.parse(now ?? '') - Date.parse(since)) / 60_000;
  if (Number.isNaN(minutes) || minutes * 60 < 1) return '';
  if (minutes < 120) return spanText(Math.round(minutes * 60) * 1000);
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

// ---- threads

/** The moment with which a thread began. */
export const firstOf = ({ root }: Thread): number => momentOf(root) ?? 0;

/** What a thread has cost, in a line. */
export const paidText = ({ moments, calls, tokens, money }: Thread, currency: string | null | undefined): string =>
  [count(moments, 'moment'), count(calls, 'call'), ...(tokens > 0 ? [count(tokens, 'token')] : []), ...(money > 0 ? [moneyText(money, currency)] : [])].join(', ');

/** What a cut makes of a thread. */
export const cutText = ({ open }: Thread): string => `${count(open, 'open wake')} ${open === 1 ? 'becomes a dead letter' : 'become dead letters'}.`;

/** The threads that began with a moment. */
export const begunAt = (threads: Thread[], seq: number): Thread[] => threads.filter((thread) => firstOf(thread) === seq);

/** So often a longer chain is read further back. */
const FURTHER_MAX = 16;
/** The first moment of a chain, and the one behind it. */
export interface Beginning { first: number; second: number | null }
/** The beginning of a chain, as far back as the oldest that matters; null where it lies too far back to be read. */
export async function beginningOf(causes: Causes, oldest: number, further: (seq: number) => Promise<Causes>): Promise<Beginning | null> {
  let [known, second] = [causes, null as number | null];
  for (let round = 0; round < FURTHER_MAX; round += 1) {
    const links = [known.moment, ...known.causes];
    const first = links.at(-1)?.seq ?? known.moment.seq;
    second = links.at(-2)?.seq ?? second;
    if (!known.moreCauses || first < oldest) return { first, second };
    known = await further(first);
  }
  return null;
}

// ---- the map

/** Whom a brake holds, by name, and whether there may be more. */
export interface Tripped { names: ReadonlySet<string>; isPart: boolean }
export function trippedIn(value: Json): Tripped {
  const names = entries(isMap(value) ? value['tripped'] : undefined).map(([being]) => bare(being));
  return { names: new Set(names), isPart: names.length >= NAMED_MAX };
}

/** How many of those who stand in a place a brake holds: `3`, or `3+` where not all are known. */
export function trippedText({ names, isPart }: Tripped, beings: readonly { name: string }[]): string {
  const held = beings.filter(({ name }) => names.has(name)).length;
  return held === 0 ? '' : `${numberText(held)}${isPart ? '+' : ''}`;
}
