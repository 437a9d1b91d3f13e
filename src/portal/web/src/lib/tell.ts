// A moment as a sentence for people: who, what, to which thing, and why not. No address, no JSON, numbers without zeros.
import { all } from './grid.ts';
import { codeOf } from './known.ts';
import { readable, titled } from './map/caption.ts';
import { asBase, inPast, thirdOf } from './tense.ts';
import { isMap } from './value.ts';
import type { Json, JsonMap, Reason, Report, Space, Try } from './wire.ts';
import { bare } from './words.ts';

/** A piece of a sentence; `to` is the thing, place or being that it names, `href` a page of something else, `isWho` whoever did what is told. */
export interface Part { text: string; to?: string; href?: string; isSaid?: true; isWho?: true }

/** As much of a moment as its sentence needs. */
export type Deed = Pick<Report, 'closing' | 'deed'> & Partial<Pick<Report, 'verb' | 'action' | 'target' | 'said' | 'being' | 'told' | 'place' | 'space' | 'reason' | 'inReplyTo'>>;

/** What is known of an address: its type, and whether it is a place. */
export type Know = (address: string) => { type: string; isPlace: boolean } | undefined;
const nothing: Know = () => undefined;

const ADDRESS = /@[\w-]+(?:\/[\w.-]*[\w-])*|(?<![\w/.:])(?:\/[\w.-]*[\w-])+/g;
/** Things that are called by a title. */
const TITLED = /book|film|song|poem|play|novel|newspaper/;
/** Places that one stands on. */
const ON = /\b(line|street|floor|stage|bridge|square|roof|beach|field|road|deck|island)$/;

/** A place with the word before it: `on the line`, `in the break room`. */
export function placeText(address: string): string {
  const name = readable(address);
  return `${ON.test(name) ? 'on' : 'in'} ${withArticle(name)}`;
}
const withArticle = (name: string): string => (/\d/.test(name) ? name : `the ${name}`);

/** A thing, a place or a being as one says it in a sentence. */
export function nameOf(address: string, know: Know = nothing): string {
  if (address === '/') return 'the world';
  const [being, ...held] = address.startsWith('@') ? address.split('/') : ['', address];
  if (held.length === 0) return titled(being ?? '');
  const name = readable(address);
  if (/\d/.test(name)) return name;
  const known = know(address);
  if (TITLED.test(known?.type ?? '') || (!known && being)) return titled(name);
  return withArticle(name);
}

/** Words with addresses in them as a sentence has them. */
export function named(text: string, know: Know = nothing): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const before = text.slice(from, match.index);
    if (before) parts.push({ text: before });
    const name = nameOf(match[0], know);
    parts.push({ text: / (the|an?|his|her|its|their) $/.test(` ${before}`) ? name.replace(/^the /, '') : name, to: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The arguments at the end of a deed's line. Of a line that was cut, the texts and numbers in it, without how they nest. */
export function argsOf(deed: string): JsonMap {
  const begin = deed.indexOf(' {');
  if (begin < 0) return {};
  const written = deed.slice(begin + 1);
  try {
    const args = JSON.parse(written) as Json;
    return isMap(args) ? args : {};
  } catch {
    const found = [...written.matchAll(/"([\w.-]+)":(?:"((?:[^"\\]|\\.)*)|(-?\d+(?:\.\d+)?|true|false)(?=[,}]))/g)];
    const entries = found.map(([, key = '', text, other]): [string, Json] => [key, text === undefined ? (JSON.parse(other ?? 'null') as Json) : text.replaceAll('\\"', '"').replaceAll('\\n', ' ')]);
    // The first of a name is the outermost of it.
    return Object.fromEntries(entries.toReversed());
  }
}

const words = (name: string): string => name.replaceAll(/[-_.]+/g, ' ').trim();
/** A value that fits into a sentence; what is long or made of several is left out. */
function plainly(value: Json | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return value.toLocaleString('en');
  return typeof value === 'string' && value.length <= 60 ? value : '';
}
const text = (args: JsonMap, ...keys: string[]): string => keys.map((key) => args[key]).find((value): value is string => typeof value === 'string' && value !== '') ?? '';
const article = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
const to = (value: string): string => (value === '' ? '' : ` to ${value}`);

/** What a signal is called: its last part. */
export const signalText = (name: string): string => words(name.split('.').at(-1) ?? name);

/** The operations of the core in the words of an extension's: the first is a verb in the third person. */
const CORE: Record<string, (on: string, args: JsonMap, report: Deed) => string> = {
  'signal.set': (_, args) => `sets ${signalText(text(args, 'name', 'signal', 'path'))}${to(plainly(args['value']))}`,
  'signal.unset': (_, args) => `clears ${signalText(text(args, 'name', 'signal', 'path'))}`,
  'matter.make': (on, args) => `makes ${text(args, 'name') ? readable(text(args, 'name')) : article(words(text(args, 'type') || 'thing'))} in ${on}`,
  'matter.set': (on) => `changes ${on}`,
  'matter.end': (on) => `takes ${on} away`,
  'space.make': (on, args) => `opens ${readable(text(args, 'name')) || 'a place'} in ${on}`,
  'space.set': (on) => `changes ${on}`,
  'space.end': (on) => `closes ${on} for good`,
  'quality.set': (on, args, report) => `sets ${signalText(text(args, 'path'))}${of(on, report)}${to(plainly(args['value']))}`,
  'quality.unset': (on, args, report) => `clears ${signalText(text(args, 'path'))}${of(on, report)}`,
  'quality.inc': (on, args, report) => `changes ${signalText(text(args, 'path'))}${of(on, report)}${plainly(args['by']) ? ` by ${plainly(args['by'])}` : ''}`,
  'quality.push': (on, args, report) => `adds to ${signalText(text(args, 'path'))}${of(on, report)}`,
  'schedule.set': (on, args, report) => (text(args, 'every') ? `plans to look again every ${text(args, 'every')}` : isOneself(report) ? 'plans when to look again' : `plans when ${on} looks again`),
  'schedule.end': (_, __, report) => (isOneself(report) ? 'plans nothing any more' : `takes a schedule of ${report.target ?? ''} back`),
  'config.set': (on, args, report) => text(args, 'key') === 'source' ? 'takes up what the source says' : /^paced \S+$/.test(text(args, 'value')) ? `sets the pace to ×${text(args, 'value').slice(6)}` : `sets ${text(args, 'key') === 'clock' ? 'the clock' : words(text(args, 'key')) || 'a setting'}${to(plainly(args['value']))}${report.target === '/' ? '' : ` for ${on}`}`,
  'config.unset': (on, args, report) => `takes back ${words(text(args, 'key')) || 'a setting'}${report.target === '/' ? '' : ` for ${on}`}`,
  'role.set': (_, args, report) => `publishes the role ${words(text(args, 'name') || (report.target ?? '').split('/').at(-1) || '')}`,
  'flow.set': (on) => `publishes the flow of ${on}`,
  'flow.default': (on) => `sets what ${on} wears by default`,
  'grants.set': (on) => `sets which roles ${on} may take`,
  'own.set': (on, args) => `gives ${on}${to(text(args, 'owner', 'to'))}`,
  'own.contribute': (on) => `sets who contributes to ${on}`,
  'own.allow': (on) => `sets what everybody may do in ${on}`,
  'home.set': (on) => `gives ${on} a home`,
  'cognition.set': (on) => `sets who thinks for ${on}`,
  'pause.set': (on) => `pauses ${on}`,
  'pause.end': (on) => `lets ${on} go on`,
  'draft.make': () => 'draws up a draft',
  'draft.publish': () => 'publishes a draft',
  'extension.set': (_, args) => `sets up the extension ${text(args, 'name')}`.trim(),
  'rule.set': () => 'sets a rule',
  'script.set': () => 'publishes a script',
  'wake.requeue': (on) => `wakes ${on} once more`,
  'claim.set': (on, args) => `claims ${listed(args, on)}${text(args, 'for') ? ` for ${text(args, 'for')}` : ''}${text(args, 'why') ? `: ${text(args, 'why')}` : ''}`,
  'claim.end': (on, args, report) => (Array.isArray(args['on']) || (report.target ?? '/') !== '/' ? `lets go of ${listed(args, on)}` : 'lets go of all it has claimed'),
  'wake.approve': (on) => `lets a request of ${on} leave`,
  'wake.decline': (on) => `keeps a request of ${on} back`,
  'thread.cut': (_, args) => `cuts the thread of moment ${text(args, 'root').split('.')[0] ?? ''}`,
  'model.reserve': (on) => `sets aside what trying a draft on ${on} can cost`,
  'model.settle': (on) => `tries a draft on ${on}`,
};

/** The things that an act lists, or its target. */
const listed = (args: JsonMap, on: string): string => (Array.isArray(args['on']) ? args['on'].map(plainly).join(', ') : on);

/** Whose it is: nothing where it is one's own. */
const of = (on: string, report: Deed): string => (isOneself(report) ? '' : ` of ${on}`);
const isOneself = ({ being, target }: Deed): boolean => !!target && bare(target) === bare(being);

function moves(report: Deed, args: JsonMap): string {
  // Where it stood is written with the cell: `/square (3,2)`.
  const [stood = ''] = (report.place ?? '').split(' (');
  const place = text(args, 'to', 'space') || (report.closing === 'act' && report.space !== stood ? (report.space ?? '') : '');
  if (!isOneself(report)) return `moves ${report.target ?? 'something'}${to(place)}`;
  return place && place !== stood ? `goes to ${place}` : 'takes some steps';
}

function does(report: Deed): string {
  const action = report.action ?? '';
  const args = argsOf(report.deed);
  if (report.told) return report.told;
  if (action === 'move') return moves(report, args);
  if (action === 'say') return report.target?.startsWith('@') ? `tells ${report.target}` : 'says';
  const core = CORE[action];
  if (core) return core(report.target === '/' ? 'the world' : (report.target ?? ''), args, report);
  const [verb = '', ...rest] = words(action.split(':').at(-1) ?? action).split(' ');
  return [thirdOf(verb), ...rest].join(' ') + (rest.length === 0 && report.target && !isOneself(report) ? ` ${report.target}` : '');
}

/** What a summons says: its words, or those of its content that read as words. */
export function saidIn(report: Deed): string {
  if (report.said) return report.said;
  if (report.verb !== 'summon') return '';
  const args = argsOf(report.deed);
  const content = args['content'] ?? args;
  if (typeof content === 'string') return content;
  return isMap(content) ? text(content, 'says', 'text', 'message', 'question', 'about', 'claim') || wordsIn(content) : '';
}

/** The longest text in a value that reads as words. */
const wordsIn = (value: Json): string => {
  if (typeof value === 'string') return /\S \S/.test(value) ? value : '';
  return isMap(value) ? Object.values(value).map(wordsIn).reduce((longest, each) => (each.length > longest.length ? each : longest), '') : '';
};

/** What a summons is, where its content says so: a defect, a verdict; and the thing that it is about. */
function subjectOf(report: Deed): { kind: string; on: string } {
  const args = argsOf(report.deed);
  const content = isMap(args['content']) ? args['content'] : args;
  const kind = text(content, 'kind', 'topic') || text(args, 'intent');
  const on = Object.entries(content).map(([key, value]) => (key !== 'target' && typeof value === 'string' && /^[/@][\w-]+\/[^\s…]+$/.test(value) ? value : '')).find(Boolean) ?? '';
  return { kind: kind.includes('…') ? '' : words(kind), on };
}

function summons(report: Deed, said: string): string {
  const target = isOneself(report) ? 'itself' : (report.target ?? 'somebody');
  const { kind, on } = report.said ? { kind: '', on: '' } : subjectOf(report);
  const isAnswer = !!report.inReplyTo;
  if (kind && on) return said ? `${isAnswer ? 'gives' : 'sends'} ${target} ${article(kind)} on ${on}` : `sends ${target} ${article(kind)}: ${on}`;
  if (said) return `${isAnswer ? 'answers' : /\?\s*$/.test(said) ? 'asks' : 'tells'} ${target}`;
  return kind ? `sends ${target} ${article(kind)}` : isAnswer ? `answers ${target}` : `calls on ${target}`;
}

function becomes(report: Deed): string {
  const target = report.target ?? '';
  switch (report.action) {
    case 'genesis': return 'begins';
    case 'birth': return `brings ${target || text(argsOf(report.deed), 'name').replace(/^\w/, '@$&') || 'somebody'} into the world`;
    case 'inhabit': return `begins to drive ${target}`;
    case 'release': return `stops driving ${target}`;
    case 'end': return isOneself(report) ? 'ends' : `ends ${target}`;
    default: return report.action ? `${thirdOf(words(report.action))}${isOneself(report) ? '' : ` ${target}`}`.trimEnd() : report.deed;
  }
}

/** What was done, behind a name and in the third person, with addresses as they were written. */
function present(report: Deed, said: string): string {
  switch (report.verb) {
    case 'do': return does(report);
    case 'summon': return summons(report, said);
    case 'be': return becomes(report);
    case 'see': return report.target && !isOneself(report) ? `looks at ${report.target}` : 'looks around';
    default: return '';
  }
}

/** A reason behind a colon: the sentence of its code, up to where it begins to explain. */
export function reasonText(reason: Reason | null | undefined): string {
  if (!reason) return '';
  // An operation says itself why it refuses.
  if (reason.code === 'operation-refused' && reason.at) return reason.at;
  const sentence = codeOf(reason.code)?.sentence ?? words(reason.code);
  const [first = sentence] = sentence.split(/[;:] /);
  return first.replaceAll('`', '');
}

/** The same deed as what somebody wanted to do and did not. */
const wanted = (deed: string): string => {
  const base = asBase(deed);
  return base === null ? 'could not do that' : `could not ${base}`;
};

function begun(report: Deed): string {
  const deed = present(report, saidIn(report));
  switch (report.closing) {
    case 'refused': return deed ? wanted(deed) : 'was refused';
    case 'failed': return deed ? wanted(deed) : 'could not think of anything to do';
    case 'dead-letter': return 'gave up after several attempts';
    case 'requeued': return report.reason?.code === 'asking' ? 'began to think' : report.reason?.code === 'looked' ? 'looked closer' : 'will try again';
    case 'ended': return 'ended';
    default: return deed ? inPast(deed) : report.closing === 'see' ? 'looked around' : inPast(report.deed) || 'did nothing';
  }
}

/** What somebody did, behind their name, without the reason why not. */
export function done(report: Deed, know: Know = nothing): Part[] {
  const parts = named(begun(report), know);
  return report.closing === 'requeued' ? parts : [...parts, ...quoted(report, saidIn(report))];
}

/** What was said, behind what was done. */
const quoted = ({ verb, target }: Deed, said: string): Part[] =>
  said ? [{ text: verb === 'summon' || target?.startsWith('@') ? ': ' : ' ' }, { text: said, isSaid: true }] : [];

/** What somebody did, behind their name, and why not. */
export function told(report: Deed, know: Know = nothing): Part[] {
  const parts = done(report, know);
  const isQuiet = report.closing === 'requeued' && ['asking', 'looked'].includes(report.reason?.code ?? '');
  if (report.reason && !isQuiet) parts.push({ text: `: ${reasonText(report.reason).replace(/^[a-z][\w-]*/, (word) => (know(`@${word}`) ? titled(word) : word))}` });
  return parts;
}

/** The same behind the name of whoever did it. */
export const sentenceOf = (report: Deed & { being: string }, know: Know = nothing): Part[] => [...subjects([report.being]), { text: ' ' }, ...told(report, know)];

/** What a button of the world does, as a sentence of its own. */
export function triedText({ verb, action = null, target, args, content }: Try, know: Know = nothing): string {
  const said = typeof content === 'string' ? content : '';
  const deed: Deed = { verb, action, target, said, deed: `${verb} ${target} ${JSON.stringify(args ?? {})}`, closing: 'act' };
  const text = plainText([...named(present(deed, said), know), ...quoted(deed, said)]);
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

/** A sentence as bare words. */
export const plainText = (parts: Part[]): string => parts.map((part) => (part.isSaid ? `“${part.text}”` : part.text)).join('');

/** Who did the same: the first two, and how many others. */
export function subjects(beings: string[]): Part[] {
  const names: Part[] = beings.map((being) => (being === 'world' ? { text: 'The world', isWho: true } : { text: titled(being), to: `@${being}`, isWho: true }));
  const [first, second, third] = names;
  if (!first || !second) return names;
  if (names.length === 2) return [first, { text: ' and ' }, second];
  return names.length === 3 && third ? [first, { text: ', ' }, second, { text: ' and ' }, third] : [first, { text: ', ' }, second, { text: ` and ${names.length - 2} others` }];
}

/** What a tree of places knows of the addresses in it. */
const trees = new WeakMap<Space, Know>();
export function knowIn(tree: Space | null): Know {
  if (!tree) return nothing;
  const before = trees.get(tree);
  if (before) return before;
  const known = new Map(all(tree).flatMap((space): [string, { type: string; isPlace: boolean }][] => [
    [space.address, { type: space.type ?? '', isPlace: true }],
    ...(space.beings ?? []).map((being): [string, { type: string; isPlace: boolean }] => [`@${being.name}`, { type: 'being', isPlace: false }]),
    ...(space.matter ?? []).flatMap((thing): [string, { type: string; isPlace: boolean }][] => [[thing.address, { type: thing.type, isPlace: false }], ...(thing.held ?? []).map((held): [string, { type: string; isPlace: boolean }] => [held.address, { type: held.type, isPlace: false }])]),
  ]));
  const know: Know = (address) => known.get(address);
  trees.set(tree, know);
  return know;
}
