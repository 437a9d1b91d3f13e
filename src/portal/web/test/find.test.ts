// Going to anything: what is found by a few letters, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { best, ownPagesIn, parted, placeName, settingsIn, signalsIn, targetsIn, type Target } from '../src/lib/find.ts';
import type { Setting, Space } from '../src/lib/wire.ts';

const href = { being: (name: string) => `#/being/${name}`, world: (address?: string) => (address && address !== '/' ? `#/space${address}` : '#/') };
const being = (name: string, ...wearing: string[]) => ({ address: `@${name}`, name, cognition: 'script', paused: false, thinks: false, qualities: {}, wearing });
const space = (address: string, more: Partial<Space>): Space => ({ address, name: address, beings: [], matter: [], spaces: [], ...more });
const tree = space('/', {
  spaces: [
    space('/shop', { beings: [being('gus', 'skateco:off-duty')] }),
    space('/factory', { spaces: [space('/factory/break-room', { beings: [being('sana', 'skateco:supervisor', 'bored')], matter: [{ address: '/factory/break-room/press', name: 'press', type: "coffee-press", holds: 0, held: [] }] })] }),
  ],
});

test('names that begin so come first, then words that begin so, then what holds it; beings before places before things', () => {
  const all = targetsIn(tree, href);
  assert.deepEqual(best(all, 's', 9).map(({ name }) => name), ['sana', 'shop', 'gus', 'press']);
  assert.deepEqual(best(all, 'room', 9).map(({ name, href: to }) => [name, to]), [['break room', '#/space/factory/break-room'], ['press', '#/space/factory/break-room?on=%2Ffactory%2Fbreak-room%2Fpress']]);
  assert.deepEqual(best(all, '@sana', 9).map(({ note }) => note), ['supervisor, bored, break room']);
  assert.deepEqual(best(all, 'nobody', 9), []);
  assert.deepEqual([best(all, '', 2).length, placeName('/'), placeName('/factory/break-room')], [2, 'the world', 'break room']);
});

test('among very many each is looked at once, and so few are shown', () => {
  const many: Target[] = Array.from({ length: 50_000 }, (_, at) => ({ kind: 'being', name: `citizen-${at}`, note: '' }));
  assert.deepEqual(best(many, 'citizen-49999', 12).map(({ name }) => name), ['citizen-49999']);
  assert.equal(best(many, 'c', 12).length, 12);
  assert.equal(best(many, '77', 12)[0]?.name, 'citizen-77');
});

test('what was typed is told from the rest of a name', () => {
  assert.deepEqual([parted('break room', 'ROOM'), parted('gus', 'x'), parted('gus', '')], [['break ', 'room', ''], ['gus'], ['gus']]);
});

test('a signal is found by its whole path', () => {
  assert.deepEqual(signalsIn({ skateco: { alarm: false, line: { boards: 3 } }, day: 'long' }).map(({ name, note }) => [name, note]), [['skateco.alarm', 'signal, false'], ['skateco.line.boards', 'signal, 3'], ['day', 'signal, "long"']]);
});

test('a setting is found by its key and by what it is about, and leads to its own form', () => {
  const settings = [{ key: 'brakes.depth', about: 'how deep a chain of summonses may go', value: 16 }, { key: 'tokens.see', about: 'how much one look tells', value: null }] as Setting[];
  const found = settingsIn(settings, (key) => `#/settings?of=%2F&key=${key}`);
  assert.deepEqual(best(found, 'depth', 9).map(({ note, href: to }) => [note, to]), [['setting, 16', '#/settings?of=%2F&key=brakes.depth']]);
  assert.deepEqual(best(found, 'one look', 9).map(({ name }) => name), ['tokens.see']);
});

test('the pages of a being or a place are found once one types which', () => {
  const to = { flow: (name: string) => `flow ${name}`, drive: (name: string) => `drive ${name}`, settings: (of: string) => `settings ${of}`, stacks: (of: string) => `stacks ${of}` };
  const found = (typed: string): unknown[] => best(ownPagesIn(tree, typed, to), typed, 9).map(({ name, href: leads }) => [name, leads]);
  assert.deepEqual([found('flow of gu'), found('flow gus')], [[['Flow of gus', 'flow gus']], [['Flow of gus', 'flow gus']]]);
  assert.deepEqual(found('Drive'), [['Drive sana', 'drive sana'], ['Drive gus', 'drive gus']]);
  assert.deepEqual(found('settings of break'), [['Settings of break room', 'settings /factory/break-room']]);
  assert.deepEqual([found('stacks of shop'), found('flower'), found('')], [[['Stacks of shop', 'stacks /shop']], [], []]);
});

test('a page stands before a setting of its name', () => {
  const all: Target[] = [{ kind: 'setting', name: 'extensions', note: '' }, { kind: 'page', name: 'Extensions', note: '' }];
  assert.deepEqual(best(all, 'extens', 9).map(({ kind }) => kind), ['page', 'setting']);
});
