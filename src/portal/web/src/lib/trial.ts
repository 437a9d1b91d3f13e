// A moment tried with a draft: what each reply would come to, and what really came of the moment, in the same few words.
import { readJson, written } from './exact.ts';
import { withoutWhy, type Part } from './sentence.ts';
import type { Cost, Json, MomentPage, Outcome, Reason, Report, Spend, Tried, Worn } from './wire.ts';
import { isMap, plain } from './value.ts';

/** One ending of a moment, as it is laid beside others. */
export interface Ending { parts: Part[]; closing: string; reason: Reason | null; cost: Cost | null; facts: Json[]; reply: Json }

export const rolesOf = (stack: Worn[] | undefined): string[] => (stack ?? []).map((worn) => worn.role);

/** What would have come of a reply. */
export const endingOf = ({ told, closing, reason, cost, facts, reply }: Outcome): Ending =>
  ({ parts: withoutWhy(told), closing, reason: reason ?? null, cost: cost ?? null, facts: facts.filter((fact) => !isBeside(fact)), reply: reply ?? null });

/** What really came of a moment. */
export function happened(page: Pick<MomentPage, 'report' | 'facts' | 'thought'>): Ending {
  const report: Report = page.report;
  return { parts: withoutWhy(report.told), closing: report.closing, reason: report.reason ?? null, cost: report.cost ?? null, facts: page.facts.filter((fact) => !isBeside(fact)), reply: page.thought?.reply ?? null };
}

/** What a frame says of its cost, and of the key under which it was sent, is no part of what was done. */
const BESIDE = ['spent', 'settled', 'reserved', 'keyed'];

function isBeside(fact: Json): boolean {
  return isMap(fact) && typeof fact['fact'] === 'string' && BESIDE.includes(fact['fact']);
}

/** What all replies of a trial have cost together. */
export function costOf(tried: Pick<Tried, 'replies'>): Spend {
  return tried.replies.reduce<Spend>((sum, { cost }) => (cost ? { calls: sum.calls + cost.calls, input: sum.input + cost.input, output: sum.output + cost.output, money: sum.money + cost.money } : sum), { calls: 0, input: 0, output: 0, money: 0 });
}

/** A prompt as one text. */
export const promptText = (prompt: { role: string; content: Json }[] | null | undefined): string =>
  (prompt ?? []).map((part) => `${part.role}\n${typeof part.content === 'string' ? part.content : written(part.content, 2)}`).join('\n\n');

/** A raw reply as one reads it: what the endpoint sent is JSON in a text. */
export function replyText(reply: Json): string {
  if (!isMap(reply)) return plain(reply);
  const body = reply['body'];
  if (typeof body !== 'string') return written(reply, 2);
  try {
    return written({ ...reply, body: readJson(body) as Json }, 2);
  } catch {
    return written(reply, 2);
  }
}
