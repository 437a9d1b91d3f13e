// The one way to the server: requests, and errors in its own words.
import { asked, type Filters } from './deed.ts';
import type { Remark } from './words.ts';
import type {
  Attempt, Backtest, BeCall, BeingPage, Clock, ClockCall, CodeWord, CostPage, DeadLetter, DoCall, DraftReview, Drives, FlowPage, InboxEntry, Json, JsonMap, Left, Linted, Login, MayAll,
  MomentPage, Moments, NewToken, OpenSession, Operation, Paths, Report, RolePage, RoleSummary, Seated, SeeCall, Session, Setting, Signals, Space, SummonCall, Supposed, Token,
  Tried, Words, WorldInfo, WornWith, Wrong,
} from './wire.ts';
import { isMap } from './value.ts';
import { remarkOf } from './words.ts';

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

/** Told whenever the server says that a being is not one's own, and not driven by one any more. */
export const heard: { notYours: (being: string) => void } = { notYours: () => undefined };

/** What goes with a request; one that is aborted ends as if the world could not be reached. */
type Asking = { body?: unknown; headers?: Record<string, string>; keepalive?: boolean; signal?: AbortSignal | undefined };

async function ask<T>(method: string, path: string, { body, headers = {}, keepalive = false, signal }: Asking = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method, keepalive, signal: signal ?? null, credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, 'unreachable', 'the world cannot be reached; is `reelm serve` running?');
  }
  const text = await response.text();
  let value: unknown = null;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    value = null;
  }
  if (!response.ok) {
    // Whatever stands before the server may answer in its stead.
    const error = (value as Partial<Wrong> | null)?.error;
    if (response.status === 403 && error?.code === 'not-yours' && error.place) heard.notYours(error.place);
    const unreachable = response.status >= 502 && !error;
    throw new ApiError(unreachable ? 0 : response.status, error?.code ?? `http-${response.status}`, error?.message ?? 'the server gave no reason', error?.kind ?? '', error?.place ?? null);
  }
  if (value === null) throw new ApiError(response.status, 'not-json', 'the server answered with something that is no JSON');
  return value as T;
}

const get = <T>(path: string, params: Query = {}, signal?: AbortSignal): Promise<T> => ask<T>('GET', path + query(params), { signal });
const post = <T>(path: string, body: unknown): Promise<T> => ask<T>('POST', path, { body });

/** An act carries a key of its own, so that sending it again does nothing twice. */
const act = (path: string, body: unknown): Promise<Report> => ask<Report>('POST', path, { body, headers: { 'idempotency-key': newKey() } });

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
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

  world: () => get<WorldInfo>('/api/world'),
  clock: (body: ClockCall) => post<Clock>('/api/clock', body),
  tree: (as: string) => get<Space>('/api/tree', { as }),
  see: (address: string, as: string, seq?: number) => get<Json>('/api/see', { address, as, at: seq }),
  may: (target: string, as: string, signal?: AbortSignal) => get<MayAll>('/api/may', { target, as }, signal),

  do: (body: DoCall) => act('/api/do', body),
  summon: (body: SummonCall) => act('/api/summon', body),
  be: (body: BeCall) => act('/api/be', body),
  look: (body: SeeCall) => act('/api/see', body),

  inhabit: (being: string, tab: string) => post<Seated>('/api/inhabit', { being, tab }),
  heartbeat: (being: string, tab: string) => post<Drives>('/api/heartbeat', { being, tab }),
  release: (being: string, tab: string) => post<Left>('/api/release', { being, tab }),
  /** Says goodbye while the page goes away; nobody waits for the answer. */
  releaseInPassing: (being: string, tab: string) => void ask('POST', '/api/release', { body: { being, tab }, keepalive: true }).catch(() => undefined),

  being: (being: string, as: string) => get<BeingPage>(`/api/being/${name(being)}`, { as }),
  inbox: (as: string) => get<InboxEntry[]>('/api/inbox', { as }),
  moments: (filters: Filters, before?: number | null, limit = 50) => get<Moments>('/api/moments', { ...asked(filters), before, limit }),
  moment: (seq: number) => get<MomentPage>(`/api/moment/${seq}`),

  roles: () => get<RoleSummary[]>('/api/roles'),
  flow: (being: string, as: string) => get<FlowPage>(`/api/being/${name(being)}/flow`, { as }),
  role: (role: string) => get<RolePage>(`/api/roles/${encodeURIComponent(role)}`),
  lint: async (body: { role: Json } | { flow: Json }): Promise<Remark[]> => {
    const { errors, warnings } = await post<Linted>('/api/lint', body);
    return [...errors.map((fault) => remarkOf(fault, true)), ...warnings.map((warning) => remarkOf(warning, false))];
  },
  now: (draft: Supposed) => post<WornWith>('/api/flow/now', draft),
  /** A draft that somebody holds, and what publishing it would come to. */
  draft: (address: string, as: string) => get<DraftReview>('/api/draft', { address, as }),
  backtest: (draft: Supposed) => post<Backtest>('/api/flow/backtest', draft),
  try: (body: Attempt) => post<Tried>('/api/try', body),
  cost: (as: string) => get<CostPage>('/api/cost', { as }),
  /** What is set at the world, a space or a being, and where each comes from. */
  settings: (target: string, as: string) => get<Setting[]>('/api/settings', { target, as }),
  /** What is said for the whole world: one answer, also where a key is not set. */
  config: async (as: string): Promise<JsonMap> => {
    const value = await get<Json>('/api/see', { address: '/.config', as });
    return isMap(value) ? value : {};
  },
  paths: () => get<Paths>('/api/paths'),
  signals: (as: string) => get<Signals>('/api/signals', { as }),
  operations: () => get<Operation[]>('/api/operations'),
  dead: () => get<DeadLetter[]>('/api/dead'),
};
