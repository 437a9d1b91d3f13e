// Entries of an inbox as sentences: who did what, with links to all that they name. An answer knows its question.
import { codeOf } from './known.ts';
import { petitionOf } from './outbox.ts';
import { href } from './route.svelte.ts';
import { named, sentenceOf, signalText, subjects, type Deed, type Know, type Part } from './tell.ts';
import { isMap } from './value.ts';
import { momentOf } from './wake.ts';
import type { Json, Report, Wake } from './wire.ts';
import { bare, wakeText } from './words.ts';

/** The most questions with their answers that stand below what waits. */
const PAIRS = 5;

/** The text of what was said, where it is text. */
export const wordsOf = (content: Json | undefined): string =>
  typeof content === 'string' ? content : isMap(content) && typeof content['content'] === 'string' ? content['content'] : '';

/** Whether it only says how a question closed, which got no words. */
export const isReceipt = ({ kind, intent, content }: Pick<Wake, 'kind' | 'intent' | 'content'>): boolean => kind === 'summons' && (intent === 'receipt' || (isMap(content) && typeof content['closing'] === 'string'));

/** The draft that a receipt tells of. */
export function draftOf(content: Json | undefined): string | null {
  const made = isMap(content) && typeof content['hash'] === 'string' ? content['made'] : null;
  return Array.isArray(made) && typeof made[0] === 'string' ? made[0] : null;
}

/** A sentence in which whoever reads it is called `you`: `the flow of Nova` is `your flow`. */
export function toYou(parts: Part[], name: string): Part[] {
  const spoken: Part[] = [];
  for (const part of parts) {
    const isReader = !part.isSaid && !part.href && bare(part.to) === name && part.to?.startsWith('@');
    const before = spoken.at(-1);
    const owned = isReader && before && !before.to ? /^(.*?)the ([\p{L} ]+) of $/u.exec(before.text) : null;
    if (owned && before) spoken.splice(-1, 1, { ...before, text: `${owned[1]}your ${owned[2]}` });
    else spoken.push(isReader ? { ...part, text: part.isWho ? 'You' : 'you' } : part);
  }
  return spoken;
}

const who = (from: string | null | undefined): Part[] => (from ? subjects([bare(from)]) : [{ text: 'Somebody' }]);
const role = (name: string): Part => ({ text: (name.split(':').at(-1) ?? name).replaceAll('-', ' '), href: href.role(name) });
const listOf = (parts: Part[]): Part[] => parts.flatMap((part, index) => [...(index === 0 ? [] : [{ text: index === parts.length - 1 ? ' and ' : ', ' }]), part]);

/** How a question closed that got no words. */
function receipt({ from, content }: Wake, cause: Report | undefined, know: Know): Part[] {
  const told = isMap(content) ? content : {};
  const made = Array.isArray(told['made']) ? told['made'].filter((each): each is string => typeof each === 'string') : [];
  const draft = draftOf(content);
  if (draft) return [...who(from), { text: ' drew up ' }, { text: 'a draft', href: href.draft(draft) }, { text: ' for you' }];
  if (cause && cause.closing === 'act' && bare(cause.being) === bare(from)) return sentenceOf(cause, know);
  const code = typeof told['code'] === 'string' ? told['code'] : null;
  const reason = code ? `: ${(codeOf(code)?.sentence ?? code.replaceAll('-', ' ')).replaceAll('`', '')}` : '';
  // The reason of a refusal, in the words of whoever declined.
  const said = code === 'approval-declined' && typeof told['place'] === 'string' ? ` (${told['place']})` : '';
  if (told['closing'] === 'act') return [...who(from), { text: made.length > 0 ? ' did it, and made ' : ' did it' }, ...listOf(made.flatMap((each) => named(each, know)))];
  if (told['closing'] === 'refused') return [...who(from), { text: ` could not do it${reason}${said}` }];
  return [...who(from), { text: told['closing'] === 'see' ? ` looked and did nothing${reason}` : ` gave no answer${reason}` }];
}

/** The question of a bridge whether a request may leave. */
function asksForApproval({ intent, content }: Wake): Part[] | null {
  const petition = intent === 'approval' ? petitionOf(content) : null;
  return petition && [...who(petition.asker), { text: ' asks for something from outside, and waits for your yes' }];
}

/** Somebody's deed on which it waited or by which it was called. */
function deedOf(wake: Wake, name: string): Deed & { being: string } {
  const { kind, from, content, inReplyTo = null } = wake;
  const being = bare(from);
  if (kind !== 'summons') return { being, closing: 'act', verb: 'do', action: wake.action ?? null, target: wake.target ?? null, deed: `do ${wake.target ?? ''}` };
  const said = wordsOf(content);
  return { being, closing: 'act', verb: 'summon', target: `@${name}`, said, inReplyTo, deed: `summon @${name} ${JSON.stringify({ content: content ?? null, ...(wake.intent ? { intent: wake.intent } : {}) })}` };
}

/** A wake of `name` as a sentence; `cause` is the moment that it comes from, where that is known. */
export function wakeTold(wake: Wake, name: string, know?: Know, cause?: Report): Part[] {
  const knows = know ?? (() => undefined);
  const self: Part = { text: 'you', to: `@${name}` };
  switch (wake.kind) {
    case 'summons': return isReceipt(wake) ? receipt(wake, cause, knows) : asksForApproval(wake) ?? sentenceOf(deedOf(wake, name), knows);
    case 'hear': return [...who(wake.from), { text: ' said ' }, { text: wordsOf(wake.content), isSaid: true }];
    case 'watch': {
      const count = wake.count ?? 1;
      return [...sentenceOf(cause ?? deedOf(wake, name), knows), ...(count > 1 ? [{ text: `, ${count} times` }] : []), ...(wake.place ? [{ text: ' in ' }, ...named(wake.place, knows)] : [])];
    }
    case 'arrival': return [...who(wake.from), { text: ' came in' }];
    case 'enter': return [{ ...self, text: 'You', isWho: true }, { text: ' came into ' }, ...(wake.space === '/' || !wake.space ? [{ text: 'the world', to: '/' }] : named(wake.space, knows))];
    case 'signal': return [{ text: 'The signal ' }, { text: signalText(wake.path ?? ''), href: '#/signals' }, { text: ' changed' }];
    case 'schedule': return [{ text: `The schedule ${wake.name ?? ''} is due` }];
    case 'change': return [{ text: 'The role of ' }, self, { text: ' changed' }, ...((wake.wore ?? []).length > 0 ? [{ text: ': it was ' }, ...listOf((wake.wore ?? []).map(role))] : [])];
    default: return [{ text: wakeText(wake.kind) }];
  }
}

/** The moment that it comes from. */
export const momentIn = ({ cause }: Pick<Wake, 'cause'>): number | null => momentOf(cause);

/** Those of its moments by which a being closed a summons, the newest first: each may answer a question. */
export const answersIn = (moments: readonly Report[]): Report[] => moments.filter((report) => report.wake === 'summons' && report.closing !== 'requeued').slice(0, PAIRS);
