// Going to anything: what is found by a few letters, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { best, parted, placeName, signalsIn, targetsIn, type Target } from '../src/lib/find.ts';
import type { Space } from '../src/lib/wire.ts';

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
