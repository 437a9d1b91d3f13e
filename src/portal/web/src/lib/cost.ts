// What models cost, in words: money, tokens, times, how much of a budget is used; and the settings that its forms write.
import { isNumber, nearest, readJson, written } from './exact.ts';
import { known } from './known.ts';
import type { Budget, Cost, Json, JsonMap, Limit, Setting, Spend, Sum } from './wire.ts';
import { isMap, numberFrom } from './value.ts';
import { count } from './words.ts';

/** From which share on a budget is nearly used up. */
const NEAR = 0.8;

const amount = (number: number, digits: number): string => number.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits });

/** An amount, of the currency where one is set: pence where it is much, three figures where it is little. */
export function moneyText(money: number, currency: string | null | undefined): string {
  const digits = money === 0 || money >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(money)));
  return `${amount(money, Math.max(2, digits))}${currency ? ` ${currency}` : ''}`;
}
export const spentText = (millionths: number, currency: string | null | undefined): string => moneyText(millionths / 1e6, currency);

export const tokensOf = (spend: Pick<Spend, 'input' | 'output'>): number => spend.input + spend.output;
export const numberText = (number: number): string => number.toLocaleString('en');

/** A length of time as one says it: `840 ms`, `2.3 s`, `4 min`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;
  return `${numberText(Math.round(ms / 60_000))} min`;
}

/** The mean time of an answer; null where none came. */
export function latency(sum: Pick<Sum, 'ms' | 'moments' | 'unanswered'>): number | null {
  const answered = sum.moments - sum.unanswered;
  return answered > 0 ? sum.ms / answered : null;
}

/** What one moment cost, in a line. */
export function costText(cost: Cost, currency: string | null | undefined): string {
  const parts = [`${count(tokensOf(cost), 'token')} (${numberText(cost.input)} in, ${numberText(cost.output)} out)`];
  const vain = cost.vain?.calls ?? 0;
  if (cost.calls !== 1 || vain > 0) parts.unshift(`${count(cost.calls, 'call')}${vain > 0 ? `, ${numberText(vain)} in vain` : ''}`);
  if (cost.money > 0) parts.push(spentText(cost.money, currency));
  if (cost.connection !== '') parts.push(spanText(cost.ms));
  return parts.join(' · ');
}

/** Sums with the dearest first; those of nothing but time, such as days, by their names, the last first. */
export function sorted(sums: Record<string, Sum>, byName = false): [string, Sum][] {
  const list = Object.entries(sums);
  if (byName) return list.sort((a, b) => b[0].localeCompare(a[0]));
  return list.sort((a, b) => b[1].money - a[1].money || tokensOf(b[1]) - tokensOf(a[1]) || a[0].localeCompare(b[0]));
}

export type State = 'room' | 'near' | 'over';
export const WHATS = ['calls', 'tokens', 'bytes', 'money'] as const;
export type What = (typeof WHATS)[number];
const ONE: Record<Exclude<What, 'money'>, string> = { calls: 'call', tokens: 'token', bytes: 'byte' };
export interface Used { what: What; used: number; limit: number; share: number; state: State }

/** How much of each limit of a budget is used; money in the currency. */
export function usedOf({ limit, spent }: Pick<Budget, 'limit' | 'spent'>): Used[] {
  const used = { calls: spent.calls, tokens: tokensOf(spent), bytes: spent.bytes ?? 0, money: spent.money / 1e6 };
  return WHATS.flatMap((what) => {
    const most = nearest(limit[what]);
    if (most === null) return [];
    const share = most > 0 ? used[what] / most : 1;
    return [{ what, used: used[what], limit: most, share, state: share >= 1 ? 'over' as const : share >= NEAR ? 'near' as const : 'room' as const }];
  });
}

export const STATE_WORDS: Record<State, string> = { room: '', near: 'nearly used up', over: 'used up' };

export function usedText({ what, used, limit }: Used, currency: string | null | undefined): string {
  if (what === 'money') return `${moneyText(used, currency)} of ${moneyText(limit, currency)}`;
  return `${numberText(used)} of ${count(limit, ONE[what])}`;
}

// ---- budgets, as the settings have them

/** What is wrong with an address at which a budget is to stand; null if nothing. */
export const budgetedProblem = (at: string): string | null => (/^@[\w-]+$/.test(at) || /^\/\S*$/.test(at) ? null : 'expected a being such as `@ada` or a space such as `/hall`');

/** What a setting is at an address itself, of all that is said on the way to it. */
export const saidAt = (settings: Setting[], key: string, at: string): Json | undefined => settings.find((setting) => setting.key === key)?.said.find((said) => said.at === at)?.value;

export function limitOf(periods: Json | undefined, period: string): Limit | null {
  const limit = isMap(periods) ? periods[period] : null;
  if (!isMap(limit)) return null;
  return Object.fromEntries(WHATS.flatMap((what) => (isNumber(limit[what]) ? [[what, limit[what]]] : [])));
}

/** A budget with one period set, or taken back where the limit is null; nothing where no period is left. */
export function withLimit(periods: Json | undefined, period: string, limit: Limit | null): JsonMap | null {
  const all: JsonMap = isMap(periods) ? { ...periods } : {};
  if (limit && Object.keys(limit).length > 0) all[period] = { ...limit } as JsonMap;
  else delete all[period];
  return Object.keys(all).length > 0 ? all : null;
}

/** The limit that the texts of a form mean, or what is wrong with them. */
export function limitFrom(texts: Partial<Record<What, string>>): { limit: Limit } | { problem: string } {
  const limit: Limit = {};
  for (const what of WHATS) {
    const text = (texts[what] ?? '').trim();
    if (text === '') continue;
    const number = numberFrom(text);
    if (number === null || (what !== 'money' && !Number.isInteger(number))) return { problem: `${what}: expected ${what === 'money' ? 'a number' : 'a whole number'} that is at least 0` };
    limit[what] = number;
  }
  return Object.keys(limit).length > 0 ? { limit } : { problem: 'at least one limit is needed; to lift the budget, take it back' };
}

// ---- connections, as the world has them

export interface ConnectionForm {
  name: string; base_url: string; model: string; key: string; timeout_ms: string; parallel: string; strict: boolean; tools: string; sampling: string; failover: string;
  /** What it says beside these, kept as it is. */
  rest: JsonMap;
}
export const newConnection = (): ConnectionForm => ({ name: '', base_url: '', model: '', key: '', timeout_ms: '', parallel: '', strict: false, tools: known().connection.tools[0]?.word ?? '', sampling: '', failover: '', rest: {} });

/** The connections of a configuration, by name. */
export function connectionsIn(config: JsonMap): [string, JsonMap][] {
  return Object.entries(config).flatMap(([key, value]): [string, JsonMap][] => {
    const name = key.startsWith('llm.') ? key.slice(4) : '';
    return name && !known().connection.reserved.includes(name) && isMap(value) ? [[name, value]] : [];
  });
}

export function formOf(name: string, connection: JsonMap): ConnectionForm {
  const text = (key: string): string => (typeof connection[key] === 'string' || isNumber(connection[key]) ? String(connection[key]) : '');
  const { sampling, failover } = connection;
  return {
    name, base_url: text('base_url'), model: text('model'), key: text('key'), timeout_ms: text('timeout_ms'), parallel: text('parallel'), strict: connection['strict'] === true,
    tools: text('tools') || newConnection().tools, sampling: isMap(sampling) && Object.keys(sampling).length > 0 ? written(sampling) : '', failover: Array.isArray(failover) ? failover.map(String).join(', ') : '',
    rest: Object.fromEntries(Object.entries(connection).filter(([key]) => !Object.hasOwn(newConnection(), key))),
  };
}

export interface Wrong { field: keyof ConnectionForm; problem: string }

/** The connection that a form means, or what is wrong with it. A key is only named, never written: what is configured stays in history. */
export function connectionFrom(form: ConnectionForm): { key: string; value: JsonMap } | Wrong {
  const name = form.name.trim();
  if (!/^[\w.-]+$/.test(name)) return { field: 'name', problem: 'expected a name of letters, digits, - and _' };
  if (known().connection.reserved.includes(name)) return { field: 'name', problem: `\`${name}\` means something else; take another name` };
  const base_url = form.base_url.trim();
  const url = URL.canParse(base_url) ? new URL(base_url) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return { field: 'base_url', problem: 'expected an address such as `http://127.0.0.1:8080/v1`' };
  if (url.username || url.password) return { field: 'base_url', problem: 'an address carries no key; name an environment variable below' };
  const model = form.model.trim();
  if (model === '') return { field: 'model', problem: 'expected the name of the model, as the endpoint calls it' };
  const value: JsonMap = { ...form.rest, base_url, model };
  const key = form.key.trim();
  if (key !== '' && !/^env:[A-Za-z_]\w*$/.test(key)) return { field: 'key', problem: 'expected `env:NAME`, the environment variable that holds the key where `reelm serve` runs; never the key itself' };
  if (key !== '') value['key'] = key;
  for (const field of ['timeout_ms', 'parallel'] as const) {
    if (form[field].trim() === '') continue;
    const number = numberFrom(form[field]);
    const { min, max } = field === 'parallel' ? known().connection.parallel : known().connection.timeoutMs;
    if (number === null || number < min || number > max || !Number.isInteger(number)) return { field, problem: `expected a whole number from ${min} to ${numberText(max)}` };
    value[field] = number;
  }
  if (form.strict) value['strict'] = true;
  if (form.tools !== known().connection.tools[0]?.word) value['tools'] = form.tools;
  if (form.sampling.trim() !== '') {
    const sampling = readMap(form.sampling);
    if (!sampling) return { field: 'sampling', problem: 'expected a map as JSON, such as `{"temperature": 0, "max_tokens": 300}`' };
    const ours = known().connection.sampling.find((key) => Object.hasOwn(sampling, key));
    if (ours) return { field: 'sampling', problem: `\`${ours}\` is written from the moment; leave it out` };
    value['sampling'] = sampling;
  }
  const failover = wordsOf(form.failover);
  if (failover.includes(name)) return { field: 'failover', problem: `\`${name}\` cannot stand in for itself` };
  if (failover.length > 0) value['failover'] = failover;
  return { key: `llm.${name}`, value };
}

function readMap(text: string): JsonMap | null {
  try {
    const value = readJson(text) as Json;
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}

/** Words with commas, spaces or lines between. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
