// The one way to the server: requests, and errors in its own words.
import type { Extension, Rule } from './brought.ts';
import { readJson, written } from './exact.ts';
import { asked, type Filters } from './filters.ts';
import { healthOf, threadOf, threadsOf, type Health, type Thread } from './health.ts';
import { petitionsOf, type Petition } from './outbox.ts';
import type { Remark } from './words.ts';
import type {
  Ahead, Attempt, Backtest, BeCall, BeingPage, Causes, Clock, ClockCall, CodeWord, CostPage, Crowd, DeadLetter, Diff, DoCall, DraftReview, Drives, FlowPage, ForeseeAsked, Foreseen, Fork, ForkCall, InboxEntry, Json, JsonMap, Lanes, Left, Linted, Login, Makings, MayAll,
  MeasuresThen, MomentPage, Moments, NewToken, OpenSession, Operation, Paths, Report, RolePage, RoleSummary, Seated, SeeCall, Session, Setting, Signals, Space, Step, SummonCall, Supposed, Timeline, Token,
  Tried, UnansweredQuestion, Words, WorldInfo, Worlds, WornWith, Wrong,
} from './wire.ts';
import { isMap } from './value.ts';
import { remarkOf } from './words.ts';
import { inWorld } from './worlds.ts';
import { zoneIs } from './zone.ts';

/** What the server said instead of an answer; `status` 0: it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Of which kind the code is; `gate` where a role, a place or lineage forbade it. */
  readonly kind: string;
  readonly place: string | null;
  constructor(status: number, code: string, message: string, kind = '', place: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.kind = kind;
    this.place = place;
  }
}

/** The point at which everything is read that has a past: all frames below that seq; null: now. */
export const past: { at: number | null } = { at: null };

/** Something was to be done while one looks at the past. */
export class InThePast extends Error {
  constructor() {
    super('You look at the past, where nothing can be done. Go back to now first.');
  }
}

/** Whether something was not told because one may not know it. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && (error.status === 403 || error.status === 401 || error.kind === 'gate');

/** What went wrong, as the server said it. */
export const troubleText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Query = Record<string, string | number | null | undefined>;

const query = (params: Query): string => {
  const pairs = Object.entries(params).filter((pair): pair is [string, string | number] => pair[1] !== null && pair[1] !== undefined && pair[1] !== '');
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text}` : '';
};

/** Told whenever the server says that a being is not one's own, and not driven by one any more; or that one has to log in. */
export const heard: { notYours: (being: string) => void; notIn: () => void } = { notYours: () => undefined, notIn: () => undefined };

/** What goes with a request; one that is aborted ends as if the world could not be reached. */
type Asking = { body?: unknown; headers?: Record<string, string>; keepalive?: boolean; signal?: AbortSignal | undefined; base?: string };

async function ask<T>(method: string, path: string, { body, headers = {}, keepalive = false, signal, base = '' }: Asking = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(base ? base + path.slice(1) : inWorld(path), {
      method, keepalive, signal: signal ?? null, credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: written(body) }),
    });
  } catch {
    throw new ApiError(0, 'unreachable', 'the world cannot be reached; is `reelm serve` running?');
  }
  const text = await response.text();
  let value: unknown = null;
  try {
    value = text === '' ? {} : readJson(text);
  } catch {
    value = null;
  }
  if (!response.ok) {
    // Whatever stands before the server may answer in its stead.
    const error = (value as Partial<Wrong> | null)?.error;
    // A refusal by another world of the server says nothing about who one is here.
    if (base === '' && response.status === 403 && error?.code === 'not-yours' && error.place) heard.notYours(error.place);
    if (base === '' && response.status === 401) heard.notIn();
    const unreachable = response.status >= 502 && !error;
    throw new ApiError(unreachable ? 0 : response.status, error?.code ?? `http-${response.status}`, error?.message ?? 'the server gave no reason', error?.kind ?? '', error?.place ?? null);
  }
  if (value === null) throw new ApiError(response.status, 'not-json', 'the server answered with something that is no JSON');
  return value as T;
}

const get = <T>(path: string, params: Query = {}, signal?: AbortSignal): Promise<T> => ask<T>('GET', path + query(params), { signal });
const post = <T>(path: string, body: unknown): Promise<T> => ask<T>('POST', path, { body });

/** Reads as of where one looks. What was asked while one went elsewhere is asked again, so that nothing of another time is shown. */
async function then<T>(path: string, params: Query = {}, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const at = past.at;
    const isStill = (): boolean => past.at === at || signal?.aborted === true;
    try {
      const answer = await get<T>(path, { ...params, at }, signal);
      if (isStill()) return answer;
    } catch (error) {
      if (isStill()) throw error;
    }
  }
}

/** Only now can anything be done. */
async function doing<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  if (past.at !== null) throw new InThePast();
  return ask<T>('POST', path, { body, headers });
}

/** An act carries a key of its own, so that sending it again does nothing twice. */
const act = (path: string, body: unknown): Promise<Report> => doing<Report>(path, body, { 'idempotency-key': newKey() });

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** So many are asked for at one time. */
const AT_ONCE = 8;
async function each<T, R>(all: T[], ask: (of: T) => Promise<R>): Promise<R[]> {
  const told: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) told.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(ask))));
  return told;
}

/** A world tells the zone of its clock. */
function zoned(world: WorldInfo): WorldInfo {
  zoneIs(world.zone ?? null);
  return world;
}

const name = (being: string): string => encodeURIComponent(being.replace(/^@/, ''));

export const api = {
  words: () => get<Words>('/api/words'),
  codes: () => get<CodeWord[]>('/api/codes'),
  session: () => get<Session>('/api/session'),
  login: (body: Login) => post<Session>('/api/session', body),
  logout: () => ask<unknown>('DELETE', '/api/session'),
  password: (password: string, being?: string) => post<unknown>('/api/password', being ? { password, being } : { password }),
  sessions: () => get<OpenSession[]>('/api/sessions'),
  revoke: (id: string) => ask<unknown>('DELETE', `/api/sessions/${encodeURIComponent(id)}`),

  tokens: () => get<Token[]>('/api/tokens'),
  makeToken: (body: NewToken) => post<Token>('/api/tokens', body),
  takeToken: (id: string) => ask<unknown>('DELETE', `/api/tokens/${encodeURIComponent(id)}`),

  world: () => then<WorldInfo>('/api/world').then(zoned),
  /** The world at a point of the past in words, such as `@ada/7` or `~10m`. */
  worldAt: (point: string) => get<WorldInfo>('/api/world', { at: point }).then(zoned),
  /** What is measured, at the ends of so many parts of the past. */
  measures: (parts: number, window?: { from: number; to?: number }) => get<MeasuresThen>('/api/measures', { parts, ...window }),
  timeline: (buckets: number, window?: { from: number; to?: number }) => get<Timeline>('/api/timeline', { buckets, ...window }),
  /** What a being wore, where it stood and what it did, in at most so many marks; up to now where no end is said. */
  lanes: (being: string, window: { from: number; to?: number } | null, parts: number) => get<Lanes>('/api/lanes', { being, ...window, parts }),
  /** Where a step leads, from a point or from now: to the next `moment`, `act`, `refused`, `failed`, `stack` or `when {…}`. */
  step: (being: string | null, at: number | null, to: string, isForward: boolean) => get<Step>('/api/step', { being, at, to, way: isForward ? 'on' : 'back' }),
  /** What differs between two points; the second may be one of another world of this server. */
  diff: (from: string, to: string, path: string | null = null) => get<Diff>('/api/diff', { from, to, with: path, most: 300 }),
  /** What lies ahead of now in so many seconds; null where a server does not tell. */
  ahead: (seconds: number) => get<Ahead>('/api/ahead', { for: `${seconds}s` }).catch(() => null),
  worlds: () => get<Worlds>('/api/worlds'),
  /** The same questions to any world of this server, by where it begins; one's own begins at nothing. */
  of: (base: string) => ({
    world: (at: string) => ask<WorldInfo>('GET', `/api/world${query({ at })}`, { base }),
    tree: (at: string, most: number) => ask<Space>('GET', `/api/tree${query({ at, most })}`, { base }),
    measures: (parts: number, from: number) => ask<MeasuresThen>('GET', `/api/measures${query({ parts, from })}`, { base }),
    moments: (filters: Filters, limit: number) => ask<Moments>('GET', `/api/moments${query({ ...asked(filters), limit })}`, { base }),
  }),
  /** Makes a world of its own; nothing is done in this one, so it can be made of the past that one looks at. */
  fork: (body: ForkCall) => post<Fork>('/api/fork', body),
  clock: (body: ClockCall) => doing<Clock>('/api/clock', body),
  tree: (as: string, most?: number) => then<Space>('/api/tree', { as, ...(most === undefined ? {} : { most }) }),
  crowd: (as: string, view: string) => then<Crowd>('/api/crowd', { as, in: view }),
  see: (address: string, as: string) => then<Json>('/api/see', { address, as }),
  may: (target: string, as: string, signal?: AbortSignal) => then<MayAll>('/api/may', { target, as }, signal),

  do: (body: DoCall) => act('/api/do', body),
  summon: (body: SummonCall) => act('/api/summon', body),
  be: (body: BeCall) => act('/api/be', body),
  look: (body: SeeCall) => act('/api/see', body),

  inhabit: (being: string, tab: string) => doing<Seated>('/api/inhabit', { being, tab }),
  heartbeat: (being: string, tab: string) => post<Drives>('/api/heartbeat', { being, tab }),
  release: (being: string, tab: string) => post<Left>('/api/release', { being, tab }),
  /** Says goodbye while the page goes away, and may come back; nobody waits for the answer. */
  leaveInPassing: (being: string, tab: string) => void ask('POST', '/api/release', { body: { being, tab, leaving: true }, keepalive: true }).catch(() => undefined),

  /** A being as it is now, wherever one looks. */
  beingNow: (being: string, as: string) => get<BeingPage>(`/api/being/${name(being)}`, { as }),
  being: (being: string, as: string) => then<BeingPage>(`/api/being/${name(being)}`, { as }),
  inbox: (as: string) => then<InboxEntry[]>('/api/inbox', { as }),
  unanswered: (as: string) => then<UnansweredQuestion[]>('/api/unanswered', { as }),
  moments: (filters: Filters, before?: number | null, limit = 50) => get<Moments>('/api/moments', { ...asked(filters), before: before ?? past.at, limit }),
  moment: (seq: number) => get<MomentPage>(`/api/moment/${seq}`),
  /** What lies behind a moment, and what it woke. */
  causes: (seq: number, most: number | null = null) => get<Causes>('/api/causes', { moment: seq, most }),
  /** Which facts made something what it is. */
  why: (of: string, as: string, most: number) => then<Makings>('/api/why', { of, as, most }),

  roles: () => then<RoleSummary[]>('/api/roles'),
  flow: (being: string, as: string) => then<FlowPage>(`/api/being/${name(being)}/flow`, { as }),
  role: (role: string) => then<RolePage>(`/api/roles/${encodeURIComponent(role)}`),
  lint: async (body: { role: Json } | { flow: Json }): Promise<Remark[]> => {
    const { errors, warnings } = await post<Linted>('/api/lint', body);
    return [...errors.map((fault) => remarkOf(fault, true)), ...warnings.map((warning) => remarkOf(warning, false))];
  },
  now: (draft: Supposed) => post<WornWith>('/api/flow/now', draft),
  /** A draft that somebody holds, and what publishing it would come to. */
  draft: (address: string, as: string) => get<DraftReview>('/api/draft', { address, as }),
  foresee: (draft: ForeseeAsked) => post<Foreseen>('/api/foresee', draft),
  backtest: (draft: Supposed) => post<Backtest>('/api/flow/backtest', draft),
  try: (body: Attempt) => post<Tried>('/api/try', body),
  cost: (as: string) => then<CostPage>('/api/cost', { as }),
  /** What is set at the world, a space or a being, and where each comes from. */
  settings: (target: string, as: string) => then<Setting[]>('/api/settings', { target, as }),
  /** The rules in force, in the order in which they are asked. */
  rules: async (as: string): Promise<Rule[]> => {
    const names = await then<Json>('/api/see', { address: '/.rules', as });
    const told = await each(Array.isArray(names) ? names : [], (name) => then<Json>('/api/see', { address: `/.rules/${String(name)}`, as }));
    return told.flatMap((rule) => (isMap(rule) && typeof rule['name'] === 'string' && isMap(rule['rule']) ? [{ name: rule['name'], rule: rule['rule'] }] : []));
  },
  /** The extensions of the world, on and off, with what each brings. */
  extensions: async (as: string): Promise<Extension[]> => {
    const all = await then<Json>('/api/see', { address: '/.extensions', as });
    return each(Object.entries(isMap(all) ? all : {}), async ([name, isOn]) => {
      const manifest = await then<Json>('/api/see', { address: `/.extensions/${name}`, as });
      return { name, isOn: isOn === true, manifest: isMap(manifest) ? manifest : {} };
    });
  },
  /** What is said for the whole world: one answer, also where a key is not set. */
  config: async (as: string): Promise<JsonMap> => {
    const value = await then<Json>('/api/see', { address: '/.config', as });
    return isMap(value) ? value : {};
  },
  /** What is held back in a space and all in it, and why. */
  health: async (space: string, as: string): Promise<Health> => healthOf(await then<Json>('/api/see', { address: `${space === '/' ? '' : space}/.health`, as })),
  /** The requests to the outside that wait to be approved: a page of them, and how many more there are. */
  outbox: async (as: string): Promise<{ petitions: Petition[]; more: number }> => petitionsOf(await then<Json>('/api/see', { address: '/.outbox', as })),
  /** The threads of which anything is open, the dearest first: a page of them, and how many more there are. */
  threads: async (as: string): Promise<{ threads: Thread[]; more: number }> => threadsOf(await then<Json>('/api/see', { address: '/.threads', as })),
  /** One of them; null where it is over, or one may not read it. */
  thread: async (root: string, as: string): Promise<Thread | null> => {
    const value = await then<Json>('/api/see', { address: `/.threads/${root}`, as }).catch(() => null);
    return isMap(value) ? threadOf(value) : null;
  },
  paths: () => then<Paths>('/api/paths'),
  signals: (as: string) => then<Signals>('/api/signals', { as }),
  operations: () => then<Operation[]>('/api/operations'),
  dead: () => then<DeadLetter[]>('/api/dead'),
};
