// A moment's own words: how it closed, the verb by which it acted, the wake that opened it. Every file asks here, and no other compares such a word.
import type { LaneMark, Reason, Report, Try, VerbWord } from './wire.ts';

type Closing = Report['closing'];
type Closed = Pick<Report, 'closing'>;
type Acted = Pick<LaneMark, 'verb'>;
type Woken = Report['wake'];
type Reasoned = Closed & { reason?: Pick<Reason, 'code'> | null };

/** Whether a closing is a failure, whether nothing more comes of its wake, and whether a line says it beside the deed. */
interface Close { isFailure: boolean; isFinal: boolean; isLoud: boolean }
/** The closings that the server knows, each with its row. */
export const CLOSINGS: Record<Closing, Close> = {
  act: { isFailure: false, isFinal: true, isLoud: false },
  see: { isFailure: false, isFinal: true, isLoud: false },
  refused: { isFailure: false, isFinal: true, isLoud: true },
  failed: { isFailure: true, isFinal: false, isLoud: true },
  'dead-letter': { isFailure: true, isFinal: true, isLoud: true },
  requeued: { isFailure: false, isFinal: false, isLoud: true },
  ended: { isFailure: false, isFinal: true, isLoud: true },
};

/** The things that the list of a verb names. */
type Named = 'operations' | 'bindings' | 'places' | 'beings';
/** The verbs that the server knows, each with the things that its list names. */
export const VERBS: Record<VerbWord['word'], Named> = { see: 'places', do: 'operations', summon: 'beings', be: 'bindings' };

/** The wakes by which a being hears something. */
const HEARING: Woken[] = ['summons', 'hear', 'reply-due'];
/** The wakes by which it hears a question; a panel hears it again once its members have voted. */
const ASKING: Woken[] = ['summons', 'reply-due'];

/** The word by which the server looks for a refusal, or for a failure. */
export const closingOf = (isFailure: boolean): 'failed' | 'refused' => (isFailure ? 'failed' : 'refused');

export const isDone = ({ closing }: Closed): boolean => closing === 'act';
export const isLooked = ({ closing }: Closed): boolean => closing === 'see';
export const isRefused = ({ closing }: Closed): boolean => closing === 'refused';
/** Whether it failed, and also whether no further attempt is made. */
export const isFailed = ({ closing }: Closed): boolean => CLOSINGS[closing]?.isFailure ?? false;
export const isGivenUp = ({ closing }: Closed): boolean => closing === 'dead-letter';
/** Whether its wake will be tried again. */
export const isRequeued = ({ closing }: Closed): boolean => closing === 'requeued';
/** Whether somebody ends with it. */
export const isEnd = ({ closing }: Closed): boolean => closing === 'ended';
/** Whether nothing more comes of its wake. */
export const isFinal = ({ closing }: Closed): boolean => CLOSINGS[closing]?.isFinal ?? true;
/** Whether a line says how it closed. */
export const isLoud = ({ closing }: Closed): boolean => CLOSINGS[closing]?.isLoud ?? true;
/** Whether a model is only asked in it. */
export const isAsked = ({ closing, reason }: Reasoned): boolean => isRequeued({ closing }) && reason?.code === 'asking';
/** Whether somebody only looks in it: nothing was wanted, or the verb was to look, or the look was a step of a thought. */
export const isLook = (moment: Reasoned & Acted): boolean =>
  isLooked(moment) || (isDone(moment) && moment.verb === 'see') || (isRequeued(moment) && moment.reason?.code === 'looked');

/** Whether the verb of it is to look, whatever came of it. */
export const isSight = ({ verb }: Acted): boolean => verb === 'see';
export const isDeed = ({ verb }: Acted): boolean => verb === 'do';
export const isSummons = ({ verb }: Acted | Pick<Try, 'verb'>): boolean => verb === 'summon';
export const isOfIdentity = ({ verb }: Acted): boolean => verb === 'be';
export const hasSummoned = (moment: Closed & Acted): boolean => isDone(moment) && isSummons(moment);

/** The things that the list of a verb names; null of a verb that the page does not know. */
export const namedBy = (verb: string | null | undefined): Named | null => VERBS[verb ?? ''] ?? null;
/** Whether a list names what may be done, and not what is there. */
export const namesDeeds = (verb: string | null | undefined): boolean => ['operations', 'bindings'].includes(namedBy(verb) ?? '');

export const isSummoned = (wake: Woken): boolean => wake === 'summons';
export const isByGesture = (wake: Woken): boolean => wake === 'gesture';
export const isWatching = (wake: Woken): boolean => wake === 'watch';
export const isScheduled = (wake: Woken): boolean => wake === 'schedule';
export const isHeard = (wake: Woken): boolean => HEARING.includes(wake);
export const hearsQuestion = (wake: Woken): boolean => ASKING.includes(wake);
