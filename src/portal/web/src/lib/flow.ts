// A flow between its two forms: the JSON that is published, and the sentences that people edit.
//
// Reading keeps how each part was written (a bare list or `in`, nested or dotted paths), so that writing gives the same JSON again.
// What sentences cannot say stays as a chip of raw JSON; nothing is dropped.
import { isNumber, written } from './exact.ts';
import { known, operatorOf, sayingOf } from './known.ts';
import type { Json, JsonMap } from './wire.ts';
import { isMap, listToText, toText } from './value.ts';

/** One thing asked of one path. */
export interface Test { op: string; value: Json; id: number }
/** Everything asked of one path; `bare` says that it is written without an operator. */
export interface Ask { kind: 'ask'; path: string; bare: boolean; tests: Test[]; id: number }
/** Sub-paths below a path, written as an object. */
export interface Below { kind: 'below'; path: string; inside: (Ask | Below | Chip)[]; id: number }
/** `and`, `or`: a list of groups. */
export interface Many { kind: 'and' | 'or'; groups: Group[]; id: number }
/** `not`: one group. */
export interface Not { kind: 'not'; group: Group; id: number }
/** What no sentence can say. */
export interface Chip { kind: 'chip'; key: string; value: Json; id: number }
export type Part = Ask | Below | Many | Not | Chip;
/** All of its parts must hold. */
export interface Group { parts: Part[]; id: number }

export interface Clause { kind: 'clause'; when: Group | null; role: string; stack: boolean; writesStack: boolean; id: number }
/** A whole clause that no sentence can say. */
export interface RawClause { kind: 'raw'; value: Json; id: number }
export type Line = Clause | RawClause;

let ids = 0;
export const fresh = (): number => ++ids;

const isOperator = (word: string): boolean => operatorOf(word) !== undefined;

// ---- JSON to sentences

/** The lines of a flow; null where it is no list. */
export function read(flow: Json): Line[] | null {
  return Array.isArray(flow) ? flow.map(readClause) : null;
}

function readClause(value: Json): Line {
  const raw: RawClause = { kind: 'raw', value, id: fresh() };
  if (!isMap(value)) return raw;
  const { when, role, stack, ...rest } = value;
  if (Object.keys(rest).length > 0 || typeof role !== 'string') return raw;
  if (stack !== undefined && typeof stack !== 'boolean') return raw;
  if (when !== undefined && !isMap(when)) return raw;
  return {
    kind: 'clause', when: when === undefined ? null : readGroup(when), role, stack: stack === true, writesStack: stack !== undefined,
    id: fresh(),
  };
}

/** The conditions of one `when`. */
export function readGroup(value: JsonMap): Group {
  return { parts: Object.entries(value).map(([key, value]) => readPart(key, value)), id: fresh() };
}

function readPart(key: string, value: Json): Part {
  if (key === 'and' || key === 'or') {
    if (Array.isArray(value) && value.every(isMap)) return { kind: key, groups: value.map(readGroup), id: fresh() };
    return { kind: 'chip', key, value, id: fresh() };
  }
  if (key === 'not') return isMap(value) ? { kind: 'not', group: readGroup(value), id: fresh() } : { kind: 'chip', key, value, id: fresh() };
  return readPath(key, value);
}

function readPath(path: string, value: Json): Ask | Below | Chip {
  if (!isMap(value)) {
    const test: Test = { op: Array.isArray(value) ? 'in' : 'eq', value, id: fresh() };
    return { kind: 'ask', path, bare: true, tests: [test], id: fresh() };
  }
  const words = Object.keys(value);
  if (words.length > 0 && words.every(isOperator)) {
    const tests = Object.entries(value).map(([op, value]) => ({ op, value, id: fresh() }));
    return { kind: 'ask', path, bare: false, tests, id: fresh() };
  }
  if (words.some((word) => isOperator(word) || ['and', 'or', 'not'].includes(word))) return { kind: 'chip', key: path, value, id: fresh() };
  return { kind: 'below', path, inside: Object.entries(value).map(([key, value]) => readPath(key, value)), id: fresh() };
}

// ---- sentences to JSON

/** The JSON of a flow. */
export function write(lines: Line[]): Json[] {
  return lines.map((line) => {
    if (line.kind === 'raw') return line.value;
    const clause: JsonMap = {};
    if (line.when) clause['when'] = writeGroup(line.when);
    clause['role'] = line.role;
    if (line.stack || line.writesStack) clause['stack'] = line.stack;
    return clause;
  });
}

/** The JSON of one `when`. */
export function writeGroup(group: Group): JsonMap {
  const written = new Map<string, Json>();
  const spare: JsonMap[] = [];
  for (const part of group.parts) {
    const [key, value] = writePart(part);
    const there = written.get(key);
    if (there === undefined) {
      written.set(key, value);
      continue;
    }
    // An object holds a key once: two questions about one path become one, and what cannot be joined goes under `and`.
    const joined = join(there, value);
    if (part.kind === 'ask' && joined) written.set(key, joined);
    else if (key === 'and' && Array.isArray(there) && Array.isArray(value)) written.set(key, [...there, ...value]);
    else spare.push(Object.fromEntries([[key, value]]));
  }
  if (spare.length > 0) {
    const and = written.get('and');
    written.set('and', [...(Array.isArray(and) ? and : []), ...spare]);
  }
  return Object.fromEntries(written);
}

function writePart(part: Part): [string, Json] {
  switch (part.kind) {
    case 'ask': return [part.path, writeAsk(part)];
    case 'below': return [part.path, Object.fromEntries(part.inside.map(writePart))];
    case 'and':
    case 'or': return [part.kind, part.groups.map(writeGroup)];
    case 'not': return ['not', writeGroup(part.group)];
    case 'chip': return [part.key, part.value];
  }
}

function writeAsk(ask: Ask): Json {
  const [first] = ask.tests;
  if (ask.bare && first && ask.tests.length === 1 && isBareable(first)) return first.value;
  return Object.fromEntries(ask.tests.map((test) => [test.op, test.value]));
}

/** Whether a test means the same without its operator: a list is one of, an object would be operators or sub-paths. */
function isBareable(test: Test): boolean {
  return Array.isArray(test.value) ? test.op === 'in' : test.op === 'eq' && !isMap(test.value);
}

function asOperators(value: Json): JsonMap | null {
  if (isMap(value)) return Object.keys(value).every(isOperator) ? value : null;
  return { [Array.isArray(value) ? 'in' : 'eq']: value };
}

function join(a: Json, b: Json): Json | null {
  const [left, right] = [asOperators(a), asOperators(b)];
  if (!left || !right || Object.keys(right).some((word) => Object.hasOwn(left, word))) return null;
  return { ...left, ...right };
}

// ---- new parts

export const newClause = (role = ''): Clause => ({ kind: 'clause', when: { parts: [], id: fresh() }, role, stack: false, writesStack: false, id: fresh() });
export const newAsk = (path = ''): Ask => ({ kind: 'ask', path, bare: true, tests: [{ op: 'eq', value: '', id: fresh() }], id: fresh() });
export const newMany = (kind: 'and' | 'or'): Many => ({ kind, groups: [{ parts: [newAsk()], id: fresh() }, { parts: [newAsk()], id: fresh() }], id: fresh() });
export const newNot = (): Not => ({ kind: 'not', group: { parts: [newAsk()], id: fresh() }, id: fresh() });

/** The value that a test begins with when its operator has been changed: what still fits is kept. */
export function valueFor(op: string, old: Json): Json {
  const takes = operatorOf(op)?.takes ?? 'value';
  const isPath = isMap(old) && typeof old['path'] === 'string';
  if (isPath && takes !== 'truth') return old;
  if (takes === 'list') return Array.isArray(old) ? old : old === '' || old === null ? [] : [old];
  const one = Array.isArray(old) ? (old[0] ?? '') : old;
  if (takes === 'truth') return typeof old === 'boolean' ? old : true;
  if (takes === 'order') return isNumber(one) || typeof one === 'string' ? one : 0;
  if (takes === 'text') return typeof one === 'string' ? one : String(one ?? '');
  return one;
}

/** Moves a line from one place to another. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

// ---- sentences as text

/** Some clauses as people read them; a dash where there are none. */
export function clausesText(flow: Json | undefined): string {
  return (flow === undefined ? [] : (read(flow) ?? [])).map(sentence).join('; ') || '–';
}

/** A line as one reads it aloud. */
export function sentence(line: Line): string {
  if (line.kind === 'raw') return `as JSON: ${written(line.value)}`;
  const when = line.when && line.when.parts.length > 0 ? `when ${groupText(line.when)}, ` : 'always ';
  const then = when === 'always ' ? '' : 'then ';
  return `${when}${then}wear ${line.role || '…'}${line.stack ? ' on top' : ''}`;
}

/** What a clause asks, as people read it; nothing where it always holds. */
export const conditionText = ({ when }: Clause): string => (when && when.parts.length > 0 ? groupText(when) : '');

/** What a `when` asks, as one reads it aloud. */
export const whenText = (when: JsonMap): string => groupText(readGroup(when));

function groupText(group: Group): string {
  return group.parts.length === 0 ? 'anything is so' : group.parts.map((part) => partText(part, '')).join(' and ');
}

function partText(part: Part, prefix: string): string {
  switch (part.kind) {
    case 'ask': return part.tests.map((test) => testText(prefix + part.path, test)).join(' and ');
    case 'below':
      return part.inside.length === 0 ? `${prefix}${part.path} may be anything` : part.inside.map((inner) => partText(inner, `${prefix}${part.path}.`)).join(' and ');
    case 'and': return part.groups.length === 0 ? 'anything is so' : `(${part.groups.map(groupText).join(' and ')})`;
    case 'or': return part.groups.length === 0 ? 'one of nothing holds' : `(${part.groups.map(groupText).join(' or ')})`;
    case 'not': return `not (${groupText(part.group)})`;
    case 'chip': return `${prefix}${part.key} ${written(part.value)}`;
  }
}

export function testText(path: string, test: Test): string {
  const operator = operatorOf(test.op);
  if (operator?.takes === 'truth' && typeof test.value === 'boolean') return `${path} ${test.value ? operator.says : (operator.not ?? `not ${operator.says}`)}`;
  return `${path} ${operatorText(test.op)} ${operandText(test.value)}`;
}

export const operatorText = (op: string): string => sayingOf(known().operators, op);

/** What something is compared with, in words. */
export function operandText(value: Json): string {
  if (isMap(value) && Object.keys(value).length === 1 && typeof value['path'] === 'string') return `what ${value['path']} is`;
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : listToText(value);
  return toText(value);
}

/** The role names that a flow gives. */
export function rolesOf(flow: Json): string[] {
  if (!Array.isArray(flow)) return [];
  return [...new Set(flow.flatMap((clause) => (isMap(clause) && typeof clause['role'] === 'string' ? [clause['role']] : [])))];
}
