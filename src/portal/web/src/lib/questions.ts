// Questions that somebody has asked: which of their moments ask one, and what has come of it as far as the moments at hand tell.
import { isMap } from './value.ts';
import { momentOf } from './wake.ts';
import type { InboxEntry, Report } from './wire.ts';
import { bare } from './words.ts';

/** What came of a question: words came back, it was heard and nothing more comes, or somebody else was asked first; null: nothing yet. */
export type Upshot = 'answered' | 'heard' | 'asked' | null;

/** The wakes by which a question is heard; a panel hears it again once its members have voted. */
const HEARS = ['summons', 'reply-due'];

/** The fact by which a moment of a person asks: the first that it makes. */
export const factOf = ({ seq }: Pick<Report, 'seq'>): string => `${seq}.0`;

/** Whether a being asks somebody else in it, and waits for an answer. */
export const asks = ({ being, verb, closing, target, args }: Report, name: string): boolean =>
  being === name && verb === 'summon' && closing === 'act' && bare(target) !== name && !(isMap(args) && args['answer'] === 'none');

const isFinal = ({ closing }: Report): boolean => closing !== 'requeued' && closing !== 'failed';
const speaksTo = (report: Report, name: string): boolean => report.closing === 'act' && report.verb === 'summon' && bare(report.target) === name;

export function upshotOf(question: Report, reports: readonly Report[]): Upshot {
  const [fact, asker, asked] = [factOf(question), question.being, bare(question.target)];
  const later = reports.filter((report) => report.seq > question.seq && isFinal(report));
  /** Whether it answers something else that the same person has asked. */
  const isOfAnother = ({ inReplyTo }: Report): boolean => reports.some((report) => report.being === asker && report.seq !== question.seq && factOf(report) === inReplyTo);
  // An answer after asking somebody else first comes later, by another cause.
  if (later.some((report) => report.inReplyTo === fact || (speaksTo(report, asker) && (report.cause === fact || (report.being === asked && !isOfAnother(report)))))) return 'answered';
  const heard = later.filter(({ cause, wake }) => cause === fact && HEARS.includes(wake));
  return heard.length === 0 ? null : heard.some(({ closing, verb }) => closing === 'act' && verb === 'summon') ? 'asked' : 'heard';
}

/** Whether an answer to a question lies in the inbox of whoever asked. */
export const isAnsweredIn = (question: Report, inbox: readonly InboxEntry[]): boolean =>
  inbox.some(({ kind, from, cause, inReplyTo }) => kind === 'summons' && (inReplyTo === factOf(question) || (!inReplyTo && bare(from) === bare(question.target) && (momentOf(cause) ?? 0) > question.seq)));
