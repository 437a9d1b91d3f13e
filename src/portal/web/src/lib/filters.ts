// The filters of moments, and whether a moment fits them.
import { numberFrom } from './value.ts';
import type { Report } from './wire.ts';
import { bare } from './words.ts';

/** `tokens` and `cost`: at least so many, as they were typed. */
export interface Filters { being?: string; space?: string; role?: string; action?: string; closing?: string; reason?: string; day?: string; text?: string; model?: string; tokens?: string; cost?: string }

const KEYS = ['text', 'being', 'space', 'role', 'action', 'closing', 'reason', 'day', 'model', 'tokens', 'cost'] as const;
/** The filters that an address carries behind its question mark. */
export function filtersIn(search: string): Filters {
  const params = new URLSearchParams(search);
  return Object.fromEntries(KEYS.flatMap((key) => { const text = params.get(key)?.trim(); return text ? [[key, text]] : []; }));
}

/** The filters as the server takes them: what is no number is left out until it is one. */
export function asked({ tokens, cost, ...rest }: Filters): Record<string, string | number | null | undefined> {
  const whole = numberFrom(tokens);
  return { ...rest, tokens: whole === null ? null : Math.ceil(whole), cost: numberFrom(cost) };
}

/** Whether a moment that has just come fits the filters; the server says the same of older ones. */
export function fits(report: Report, filters: Filters): boolean {
  const { being, space, role, action, closing, reason, day, text, model } = filters;
  if (being && report.being !== bare(being)) return false;
  if (space && !(report.space === space || (report.space ?? report.place).startsWith(space === '/' ? '/' : `${space}/`) || report.place === space)) return false;
  if (role && !report.stack.includes(role)) return false;
  if (action && report.action !== action) return false;
  if (closing && report.closing !== closing) return false;
  if (reason && report.reason?.code !== reason) return false;
  if (day && !report.time.startsWith(day)) return false;
  if (model && report.cost?.model !== model) return false;
  const [tokens, cost] = [numberFrom(filters.tokens), numberFrom(filters.cost)];
  if (tokens !== null && !(report.cost && report.cost.input + report.cost.output >= tokens)) return false;
  if (cost !== null && !(report.cost && report.cost.money / 1e6 >= cost)) return false;
  if (!text) return true;
  const all = [report.being, report.place, report.deed, report.said ?? '', report.reason?.code ?? '', ...report.stack].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => all.includes(word));
}
