// Questions that somebody has asked: which of their moments ask one, and what has come of it as far as the moments at hand tell.
import { hasSummoned, hearsQuestion, isFinal, isSummoned } from './moment.ts';
import { isMap } from './value.ts';
import { momentOf } from './wake.ts';
import type { InboxEntry, Report } from './wire.ts';
import { bare } from './words.ts';

/** What came of a question: words came back, it was heard and nothing more comes, or somebody else was asked first; null: nothing yet. */
export type Upshot = 'answered' | 'heard' | 'asked' | null;

/** The fact by which a moment of a person asks: the first that it makes. */
export const factOf = ({ seq }: Pick<Report, 'seq'>): string => `${seq}.0`;

/** Whether a being asks somebody else in it, and waits for an answer. */
export const asks = (report: Report, name: string): boolean =>
  report.being === name && hasSummoned(report) && bare(report.target) !== name && !(isMap(report.args) && report.args['answer'] === 'none');

const speaksTo = (report: Report, name: string): boolean => hasSummoned(report) && bare(report.target) === name;

export function upshotOf(question: Report, reports: readonly Report[]): Upshot {
  const [fact, asker, asked] = [factOf(question), question.being, bare(question.target)];
  const later = reports.filter((report) => report.seq > question.seq && isFinal(report));
  /** Whether it answers something else that the same person has asked. */
  const isOfAnother = ({ inReplyTo }: Report): boolean => reports.some((report) => report.being === asker && report.seq !== question.seq && factOf(report) === inReplyTo);
  // An answer after asking somebody else first comes later, by another cause.
  if (later.some((report) => report.inReplyTo === fact || (speaksTo(report, asker) && (report.cause === fact || (report.being === asked && !isOfAnother(report)))))) return 'answered';
  const heard = later.filter(({ cause, wake }) => cause === fact && hearsQuestion(wake));
  return heard.length === 0 ? null : heard.some(hasSummoned) ? 'asked' : 'heard';
}

/** Whether an answer to a question lies in the inbox of whoever asked. */
export const isAnsweredIn = (question: Report, inbox: readonly InboxEntry[]): boolean =>
  inbox.some(({ kind, from, cause, inReplyTo }) => isSummoned(kind) && (inReplyTo === factOf(question) || (!inReplyTo && bare(from) === bare(question.target) && (momentOf(cause) ?? 0) > question.seq)));
