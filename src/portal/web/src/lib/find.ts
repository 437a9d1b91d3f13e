// What one can go to, found by what is typed: names that begin so before those that have a word that begins so, before those that hold it.
import { written } from './exact.ts';
import { isMap } from './value.ts';
import type { JsonMap, Setting, Space } from './wire.ts';

export type Kind = 'being' | 'place' | 'thing' | 'role' | 'signal' | 'setting' | 'time' | 'moment' | 'page' | 'command';
export interface Target {
  kind: Kind; name: string; note: string;
  /** Where it leads; without one it is done. */
  href?: string;
  does?: () => void | Promise<void>;
  /** Other words by which it is found. */
  also?: string;
}

const lastOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
/** An address as people call a place. */
export const placeName = (address: string): string => (address === '/' ? 'the world' : lastOf(address).replaceAll('-', ' '));

/** Where all lies in the tree, with the ways to it. */
export function targetsIn(tree: Space | null, href: { being: (name: string) => string; world: (address?: string) => string }): Target[] {
  const found: Target[] = [];
  const open = tree ? [tree] : [];
  for (let space = open.pop(); space; space = open.pop()) {
    const [{ address }, where] = [space, placeName(space.address)];
    if (address !== '/') found.push({ kind: 'place', name: placeName(address), note: `place, ${address}`, href: href.world(address), also: address });
    for (const being of space.beings) found.push({ kind: 'being', name: being.name, note: [...being.wearing.map(lastWord), where].join(', '), href: href.being(being.name), also: `@${being.name}` });
    for (const thing of space.matter) {
      found.push({ kind: 'thing', name: thing.name.replaceAll('-', ' '), note: `${thing.type.replaceAll('-', ' ')}, ${where}`, href: `${href.world(address)}?on=${encodeURIComponent(thing.address)}`, also: thing.address });
    }
    open.push(...space.spaces);
  }
  return found;
}

/** What a being or a place has pages of its own for, found once its kind is typed: `flow of ada`, `drive ada`, `settings of hall`. */
export function ownPagesIn(tree: Space | null, typed: string, href: { flow: (name: string) => string; drive: (name: string) => string; settings: (of: string) => string; stacks: (of: string) => string }): Target[] {
  const kind = /^(flow|drive|settings|stacks)\b/i.exec(typed.trim())?.[1]?.toLowerCase();
  const page = (name: string, note: string, to: string): Target => ({ kind: 'page', name, note, href: to, also: name.replace(' of ', ' ') });
  const found: Target[] = [];
  const open = kind && tree ? [tree] : [];
  for (let space = open.pop(); space; space = open.pop()) {
    const { address } = space;
    if (kind === 'settings' && address !== '/') found.push(page(`Settings of ${placeName(address)}`, address, href.settings(address)));
    if (kind === 'stacks') found.push(page(`Stacks of ${placeName(address)}`, 'roles that a place adds', href.stacks(address)));
    for (const { name } of space.beings) {
      if (kind === 'flow') found.push(page(`Flow of ${name}`, 'which roles it wears', href.flow(name)));
      if (kind === 'drive') found.push(page(`Drive ${name}`, 'be somebody', href.drive(name)));
      if (kind === 'settings') found.push(page(`Settings of ${name}`, `@${name}`, href.settings(`@${name}`)));
    }
    open.push(...space.spaces);
  }
  return found;
}

/** The signals of the world, each by its whole path. */
export const signalsIn = (signals: JsonMap, before = ''): Target[] => Object.entries(signals).flatMap(([key, value]) =>
  isMap(value) ? signalsIn(value, `${before}${key}.`) : [{ kind: 'signal' as const, name: before + key, note: `signal, ${written(value)}`, href: '#/signals' }]);

/** The settings of the world, each with what it holds there; found by what it is about, too. */
export const settingsIn = (settings: Setting[], href: (key: string) => string): Target[] =>
  settings.map(({ key, value, about }) => ({ kind: 'setting', name: key, note: `setting, ${written(value)}`, href: href(key), also: about }));

/** A role or a type without its namespace. */
export const lastWord = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** How well something fits, the least the best; null where it does not. */
function fit(target: Target, wanted: string): number | null {
  const name = target.name.toLowerCase();
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  const at = name.indexOf(wanted);
  if (at > 0) return /[\s\-_:/.]/.test(name[at - 1] ?? '') ? 2 : 3;
  return target.also?.toLowerCase().includes(wanted) ? 4 : null;
}

const ORDER: Kind[] = ['time', 'moment', 'being', 'place', 'role', 'signal', 'command', 'page', 'setting', 'thing'];
const GRADES = 5;

/** The best of all, at most so many: by how well they fit, then by kind, then as they come. Each is looked at once, however many there are. */
export function best(all: Target[], typed: string, most: number): Target[] {
  const wanted = typed.trim().toLowerCase();
  const grades: Target[][] = Array.from({ length: GRADES * ORDER.length }, () => []);
  for (const target of all) {
    const grade = wanted === '' ? 0 : fit(target, wanted);
    const place = grade === null ? undefined : grades[grade * ORDER.length + ORDER.indexOf(target.kind)];
    if (place && place.length < most) place.push(target);
  }
  return grades.flat().slice(0, most);
}

/** A name in parts: what was typed stands in every second. */
export function parted(name: string, typed: string): string[] {
  const wanted = typed.trim();
  const at = wanted === '' ? -1 : name.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at, at + wanted.length), name.slice(at + wanted.length)];
}
