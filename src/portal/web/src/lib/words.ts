// What codes mean, in the words of the docs. Whatever is not known here is shown as the server wrote it.
import type { Json, Reason, Remark } from './types.ts';
import { isMap } from './value.ts';

const REFUSED: Record<string, string> = {
  'gate-role': 'the role it wears now does not list this',
  'gate-place': 'it has no right at this place: it neither owns it nor contributes to it, and the place does not allow this to everybody',
  'gate-grants': 'its own grants do not cover this role',
  'gate-lineage': 'only an ancestor may do this',
  'gate-touch': 'the operation would change something that it may not touch',
  'gate-touches': 'the operation would change something that it may not touch',
  'gate-authority': 'authority is changed only by its own operations',
  'gate-see': 'the role it wears now may not see this',
  'role-changed': 'the role changed between the opening of the moment and its close',
  'no-role': 'no clause and no default gave it a role to wear',
  driven: 'somebody else drives this being now',
  'not-driven': 'you do not drive this being now',
  'not-here': 'it does not stand there',
  'not-found': 'there is no such thing',
  'not-open': 'this wake is not open any more',
  'name-taken': 'the name is taken',
  'bad-name': 'a name is letters, digits, - and _',
  'wrong-target': 'this cannot be done to that',
  'off-grid': 'the place lies outside the grid',
  'inside-itself': 'nothing can be moved into itself',
  ended: 'the being has ended',
  'bad-address': 'this is not an address',
  'bad-duration': 'this is not a length of time',
  'unknown-action': 'there is no such action',
  'unknown-operation': 'there is no such operation',
  'args-required': 'something that is required is missing',
  'args-type': 'a value is of the wrong kind',
  'args-enum': 'a value is none of those that are possible',
  'args-unknown': 'it has an argument that the action does not know',
  'base-version': 'somebody published another version meanwhile',
  conflict: 'somebody published another version meanwhile',
  'version-changed': 'somebody published another version meanwhile',
  'role-malformed': 'the role is malformed',
  'role-name': 'the name does not fit the role',
  'flow-malformed': 'the flow is malformed',
  'too-large': 'it is too large',
  paused: 'it is paused',
  budget: 'a budget has no room for it',
  'no-price': 'there is a budget of money, and the model that would be asked has no price',
  'no-connection': 'no model is configured for it',
  secret: 'it would write a secret into history; name the environment variable that holds it, as env:NAME',
  'too-many': 'too many drafts are tried now; try again in a moment',
  unanswered: 'the server stopped before the model had answered',
  'endpoint-unreachable': 'the model’s endpoint cannot be reached',
  'endpoint-refused': 'the address of the model’s endpoint is none that may be asked',
  'endpoint-private': 'the model’s endpoint lies in a private network that is not on the list of hosts that may be reached',
  'endpoint-plain': 'the model’s endpoint is plain http, and its host is not on the list of hosts that may be reached',
  'reply-timeout': 'the model took too long',
  'reply-status': 'the model’s endpoint answered with an error',
  'reply-empty': 'the model said nothing',
  'reply-cut': 'the model’s reply was cut off before its end',
  'reply-malformed': 'the model’s reply cannot be understood',
  'reply-arguments': 'the model’s arguments cannot be understood',
  'reply-unknown-tool': 'the model called something that it does not have',
  'reply-refused': 'the model refused',
  'brake-depth': 'the chain of causes grew too long',
  'brake-moments': 'the chain of causes had too many moments',
  'brake-continue': 'it went on by itself too often',
};

const WAKES: Record<string, string> = {
  summons: 'it was summoned', signal: 'a signal changed', schedule: 'its schedule said so', enter: 'it entered a space', arrival: 'somebody came in',
  hear: 'it heard something', crossing: 'time crossed a border of its flow', 'self-continue': 'it went on by itself', gesture: 'a person acted', end: 'it ended',
};

const CLOSINGS: Record<string, string> = {
  act: 'acted', see: 'looked', refused: 'was refused', failed: 'failed', requeued: 'will be tried again', 'dead-letter': 'was given up', ended: 'ended',
};

const OUTCOMES: Record<string, string> = {
  primary: 'worn, as the primary', stacked: 'worn, on top', 'no-match': 'does not match', 'not-matched': 'does not match',
  shadowed: 'matches, but the primary was found before', 'unknown-role': 'matches, but no such role is registered',
  'wrong-cognition': 'matches, but the role asks for another cognition', 'already-worn': 'worn already', 'no-primary': 'matches, but there is no primary to stack on',
  'not-named': 'neither the flow nor the default names it',
};

const COGNITIONS: Record<string, string> = { script: 'script', llm: 'language model', human: 'person' };

/** Why something was refused, in a sentence that ends with the rule's own name. */
export function why(reason: Reason | null | undefined): string {
  if (!reason) return 'no reason was given';
  const said = REFUSED[reason.code] ?? reason.message ?? sayCode(reason.code);
  const where = reason.place ?? reason.at;
  const place = where ? ` (${where})` : '';
  return `${said}${place}`;
}

function sayCode(code: string): string {
  if (code.startsWith('args-')) return `the arguments do not fit: ${code.slice(5)}`;
  if (code.startsWith('brake')) return `a brake closed it: ${code}`;
  return code.replaceAll('-', ' ');
}

export const knowsReason = (code: string): boolean => Object.hasOwn(REFUSED, code);
export const wakeText = (wake: string): string => WAKES[wake] ?? wake;
export const closingText = (closing: string): string => CLOSINGS[closing] ?? closing;
export const cognitionText = (cognition: string | null | undefined): string => COGNITIONS[cognition ?? ''] ?? cognition ?? 'no cognition';

/** The word of an outcome, which may carry more than a word. */
export function outcomeWord(outcome: Json | undefined): string {
  if (typeof outcome === 'string') return kebab(outcome);
  if (isMap(outcome)) return kebab(Object.keys(outcome)[0] ?? '');
  return '';
}
export const outcomeText = (outcome: Json | undefined): string => OUTCOMES[outcomeWord(outcome)] ?? (outcomeWord(outcome) || 'not needed');

/** A remark of the lint, whether it comes as a line or in parts. */
export function remarkOf(raw: Json, isError: boolean): Remark {
  if (!isMap(raw)) {
    const text = String(raw);
    return { place: /^[^:]*/.exec(text)?.[0]?.replace(/^flow/, '') ?? '', text, isError };
  }
  const part = (key: string): string => (typeof raw[key] === 'string' ? raw[key] : '');
  const place = part('place').replace(/^\/?flow/, '');
  const what = part('what') || part('message');
  const said = what.startsWith(`${place}: `) ? what.slice(place.length + 2) : what;
  return { place, text: part('hint') ? `${said}; ${part('hint')}` : said, isError };
}

const kebab = (word: string): string => word.replace(/([a-z])([A-Z])/g, '$1-$2').replaceAll('_', '-').toLowerCase();

/** `@ada` and `ada` as `ada`. */
export const bare = (name: string | null | undefined): string => (name ?? '').replace(/^@/, '');
export const at = (name: string | null | undefined): string => (name ? `@${bare(name)}` : '');

/** Who looks, where somebody is driven and may not see what one would see oneself. */
export const seenAs = (driving: string | null): string => (driving ? `You see this as ${at(driving)}; release it to see it as yourself.` : '');

/** Things as one says them: `/hall`, `/hall and /yard`, `/hall, /yard and /barn`. */
export const listed = (things: string[]): string => (things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`);

/** One of something or many of them. */
export const count = (number: number, one: string, many = `${one}s`): string => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** The coordinates that a text means, as `3, 1`, or what is wrong with it; none where it is empty. */
export function coordsFrom(text: string): { coords: number[] } | { problem: string } {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (words.length > 3 || !words.every((word) => /^-?\d+$/.test(word))) return { problem: 'expected two whole numbers, such as `3, 1`, or three' };
  return { coords: words.map(Number) };
}

/** The clock of an ISO instant: `06:00:00`. */
export const hourOf = (iso: string | undefined): string => iso?.slice(11, 19) ?? '';
/** An instant of the world as `2026-03-02 06:00:00`, in the zone of another that is written out. */
export function timeOf(ms: number, like: string | undefined): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(like ?? '') ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const at = new Date(ms + offset);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
/** Its day: `2026-03-02`. */
export const dayOf = (iso: string | undefined): string => iso?.slice(0, 10) ?? '';
