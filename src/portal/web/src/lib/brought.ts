// The rules of a world as sentences, and what each extension brings.
import { entryText } from './entry.ts';
import { whenText } from './flow.ts';
import { isMap } from './value.ts';
import type { Json, JsonMap } from './wire.ts';
import { count, listed } from './words.ts';

/** A rule in force: `ns:name`, and as it was written. */
export interface Rule { name: string; rule: JsonMap }
/** An extension of the world, on or off. */
export interface Extension { name: string; isOn: boolean; manifest: JsonMap }
/** One kind of what it brings. */
export interface Kind { title: string; one: string; items: { name: string; about: string }[] }

/** The name before the colon of the rules that the operator set. */
const OWN = 'world';

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);

/** The extension that a rule comes with; null: the operator set it. */
export function originOf(name: string): string | null {
  const [space = '', bare] = name.split(':');
  return bare === undefined || space === OWN ? null : space;
}
/** The rule without the name of whoever brought it. */
export const shortName = (name: string): string => name.slice(name.indexOf(':') + 1).replaceAll('-', ' ');

/** On which deeds a rule is asked. */
export const asksOn = ({ rule }: Rule): string[] => list(rule['on']).map(entryText);
/** When it speaks up; nothing: always. */
export const whenOf = ({ rule }: Rule): string => (isMap(rule['when']) && Object.keys(rule['when']).length > 0 ? whenText(rule['when']) : '');

/** What a rule does, as a sentence: it refuses by itself, or a script decides. */
export function ruleText(rule: Rule): string {
  const deeds = listed(asksOn(rule).map((deed) => `\`${deed}\``)) || 'every deed';
  const script = text(rule.rule['script']);
  const when = whenOf(rule);
  return `${script ? `It asks the script \`${script}\` about ${deeds}` : `It refuses ${deeds}`}${when ? ` when ${when}` : ''}.`;
}

const KINDS: [string, string, string, string, string][] = [
  ['operations', 'Operations', 'operation', 'name', 'description'], ['resolvers', 'Resolvers', 'resolver', 'name', 'description'], ['spaceTypes', 'Types of places', 'type of place', 'type', 'description'],
  ['matterTypes', 'Types of things', 'type of thing', 'type', 'description'], ['signals', 'Signals', 'signal', 'path', 'description'], ['rules', 'Rules', 'rule', 'name', 'refuse'], ['settings', 'Settings', 'setting', 'key', 'about'],
];
/** What an extension brings, kind by kind, without those of which it brings none. */
export const kindsOf = ({ manifest }: Extension): Kind[] => KINDS.flatMap(([key, title, one, name, about]) => {
  const items = list(manifest[key]).flatMap((item) => (isMap(item) ? [{ name: text(item[name]), about: text(item[about]) }] : []));
  return items.length > 0 ? [{ title, one, items }] : [];
});
const many = (one: string): string => (one.startsWith('type ') ? one.replace('type', 'types').replace(/thing$/, 'things').replace(/place$/, 'places') : `${one}s`);

/** The same in one sentence. */
export function bringsText(extension: Extension): string {
  const kinds = kindsOf(extension).map(({ one, items }) => count(items.length, one, many(one)));
  return `It is ${extension.isOn ? 'on for the whole world' : 'off'}${kinds.length > 0 ? `, and ${extension.isOn ? 'brings' : 'would bring'} ${listed(kinds)}` : ''}.`;
}

/** The extensions that it needs, each with the versions that will do. */
export const needsOf = ({ manifest }: Extension): { name: string; wanted: string; canDoWithout: boolean }[] =>
  Object.entries(isMap(manifest['needs']) ? manifest['needs'] : {}).map(([name, wanted]) => ({ name: name.replace(/\?$/, ''), wanted: text(wanted), canDoWithout: name.endsWith('?') }));
