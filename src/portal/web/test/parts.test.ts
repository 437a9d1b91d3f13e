// The small pure parts: values as text, differences, forms, entries, the grid, filters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './known.ts';
import { filtersIn, fits } from '../src/lib/filters.ts';
import { around, diff } from '../src/lib/diff.ts';
import { entryOf, entryText } from '../src/lib/entry.ts';
import { cellAt, find, places, stepOf, stepped, whereIs } from '../src/lib/grid.ts';
import { argsOf, FieldError, fieldsOf } from '../src/lib/schema.ts';
import type { Json, Report, Space } from '../src/lib/wire.ts';
import { joined, nothing, released } from '../src/lib/held.ts';
import { instantOf, wakeRows } from '../src/lib/wake.ts';
import { fromText, listFromText, listToText, same, toText } from '../src/lib/value.ts';
import { coordsFrom, listed, outcomeText, remarkOf, why } from '../src/lib/words.ts';

test('a value survives being written and read', () => {
  const values: Json[] = ['court', '9', 'true', 'null', '', ' edges ', '"quoted"', '[x', '{', 'a, b', 9, -1.5, 1e21, true, false, null, [1, 'two'], { path: 'me.home' }, '01', '1.'];
  for (const value of values) assert.deepEqual(fromText(toText(value)), value, JSON.stringify(value));
});

test('a list survives being written and read', () => {
  for (const list of [[], ['court', 'library'], ['a, b', '9', 9, null, true], ['', 'x'], [''], ['say "hi"'], [{ path: 'me.home' }, 'x'], [[1], 2]] as Json[][]) {
    assert.deepEqual(listFromText(listToText(list)), list, JSON.stringify(list));
  }
});

test('equality does not count the order of keys', () => {
  assert.ok(same({ a: 1, b: [2] }, { b: [2], a: 1 }));
  assert.ok(!same({ a: 1 }, { a: 1, b: undefined as unknown as Json }));
  assert.ok(!same([1, 2], [2, 1]));
  assert.ok(!same([], {}));
});

test('a difference puts the old text and the new together again', () => {
  const pairs: [string, string][] = [['a\nb\nc', 'a\nx\nc'], ['', 'a'], ['a\nb', 'b\na'], ['same', 'same'], ['1\n2\n3\n4', '0\n1\n3\n5\n4']];
  for (const [a, b] of pairs) {
    const lines = diff(a, b);
    assert.equal(lines.filter((line) => line.sign !== '+').map((line) => line.text).join('\n'), a);
    assert.equal(lines.filter((line) => line.sign !== '-').map((line) => line.text).join('\n'), b);
  }
  assert.equal(diff('a\nb\nc', 'a\nx\nc').filter((line) => line.sign === ' ').length, 2, 'what is common is not shown as changed');
  const long = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const kept = around(diff(long.join('\n'), [...long.slice(0, 20), 'new', ...long.slice(20)].join('\n')));
  assert.equal(kept.filter((line) => line === null).length, 2);
  assert.equal(kept.filter((line) => line?.sign === '+').length, 1);
});

test('a form asks for what the schema asks for', () => {
  const fields = fieldsOf({ type: 'object', required: ['content'], properties: { to: { type: 'string' }, coords: {}, content: { type: 'string' }, yes: { type: 'boolean' }, by: { type: 'number' }, allow: { type: 'array', items: { type: 'string' } }, value: {} } });
  assert.deepEqual(fields.map((field) => `${field.name}:${field.kind}`), ['content:long', 'to:text', 'coords:coords', 'yes:yes-no', 'by:number', 'allow:texts', 'value:json']);
  assert.deepEqual(argsOf(fields, { content: 'hi', coords: '3, 1', yes: 'false', by: '2.5', allow: 'a\nb, c', value: 'true' }), { content: 'hi', coords: [3, 1], yes: false, by: 2.5, allow: ['a', 'b', 'c'], value: true });
  assert.throws(() => argsOf(fields, {}), (error: unknown) => error instanceof FieldError && error.field === 'content');
  assert.throws(() => argsOf(fields, { content: 'x', coords: 'there' }), FieldError);
  const nullable = fieldsOf({ required: ['owner'], properties: { owner: { type: ['string', 'null'] } } });
  assert.deepEqual(argsOf(nullable, {}), { owner: null });
});

test('entries of can* lists read as words and are written as the language has them', () => {
  assert.equal(entryText({ rel: 'here' }), 'whatever is here');
  assert.equal(entryText({ action: 'move', on: { rel: 'self' } }), 'move on itself');
  assert.equal(entryText({ action: 'signal.set', ns: 'skateco' }), 'signal.set in skateco.*');
  assert.equal(entryText({ odd: 1 }), '{"odd":1}');
  assert.deepEqual(entryOf({ kind: 'bound', text: 'move', on: 'self', ns: '' }), { action: 'move', on: { rel: 'self' } });
  assert.deepEqual(entryOf({ kind: 'bound', text: 'signal.set', on: '', ns: 'court' }), { action: 'signal.set', ns: 'court' });
  assert.equal(entryOf({ kind: 'name', text: '  ', on: '', ns: '' }), null);
});

test('the arrow keys step, and the grid ends', () => {
  const size = { x: 3, y: 2 };
  assert.deepEqual(stepped({ x: 0, y: 0 }, stepOf('ArrowRight') ?? [0, 0], size), { x: 1, y: 0, z: 0 });
  assert.equal(stepped({ x: 0, y: 0 }, stepOf('ArrowUp') ?? [0, 0], size), null);
  assert.equal(stepped({ x: 2, y: 1 }, stepOf('ArrowDown') ?? [0, 0], size), null);
  assert.equal(stepOf('a'), null);
  for (const count of [1, 2, 3, 4, 5, 9, 20]) {
    for (const spot of places(count)) assert.ok(spot.x - spot.r >= 0 && spot.x + spot.r <= 1 && spot.y - spot.r >= 0 && spot.y + spot.r <= 1, `${count} in a cell stay in it`);
  }
});

const report = (over: Partial<Report>): Report => ({
  seq: 1, at: 0, time: '', being: 'ada', place: '/factory/line (0,0)', space: '/factory/line', stack: ['worker', 'emotions:bored'], clauses: [0, 1], wake: 'schedule', because: '', cause: '1.0',
  cognition: 'script', closing: 'act', deed: '', told: [], ...over,
});

test('a moment is found', () => {
  assert.ok(fits(report({}), { being: '@ada', space: '/factory', role: 'worker', closing: 'act' }));
  assert.ok(fits(report({}), { space: '/' }));
  assert.ok(!fits(report({}), { space: '/fact' }));
  assert.ok(!fits(report({}), { role: 'bored' }));
  assert.ok(fits(report({ said: 'A quiet day' }), { text: 'quiet ADA' }));
  assert.ok(!fits(report({ said: 'A quiet day' }), { text: 'loud' }));
});

test('an address carries its filters, and nothing else', () => {
  assert.deepEqual(filtersIn('being=echo&text=two+words&role=&at=7&tokens=%201000'), { text: 'two words', being: 'echo', tokens: '1000' });
  assert.deepEqual(filtersIn(''), {});
});

test('spaces and beings are found in the tree', () => {
  const space = (address: string, spaces: Space[] = [], names: string[] = []): Space => ({ address, name: address, type: '', spaces, matter: [], beings: names.map((name) => ({ name, address: `@${name}`, cognition: 'script', wearing: [], paused: false, thinks: false, qualities: {} })) });
  const tree = space('/', [space('/a', [space('/a/b', [], ['ada'])])]);
  assert.equal(find(tree, '/a/b')?.address, '/a/b');
  assert.equal(find(tree, '/c'), null);
  assert.equal(whereIs(tree, 'ada')?.address, '/a/b');
});

test('a remark of the lint knows its place', () => {
  assert.deepEqual(remarkOf({ hint: 'did you mean `time.hour`?', place: '[0].when', what: 'no such path' }, false), { place: '[0].when', text: 'no such path; did you mean `time.hour`?', isError: false });
  assert.deepEqual(remarkOf({ place: '[1].role', what: '[1].role: expected a name' }, true), { place: '[1].role', text: 'expected a name', isError: true });
  assert.equal(remarkOf({ place: 'flow[2].when', what: 'odd' }, false).place, '[2].when');
});

test('coordinates are whole numbers', () => {
  assert.deepEqual(['', '3, 1', ' -3;1 2 ', '7'].map(coordsFrom), [[], [3, 1], [-3, 1, 2], [7]].map((coords) => ({ coords })));
  for (const text of ['a, b', '3, x', '1.5, 2', '1, 2, 3, 4', '1e3, 2']) assert.ok('problem' in coordsFrom(text), text);
});

test('things are listed', () => {
  assert.deepEqual([[], ['/a'], ['/a', '/b'], ['/a', '/b', '/c']].map(listed), ['', '/a', '/a and /b', '/a, /b and /c']);
});

test('a refusal is said in words', () => {
  assert.equal(why({ code: 'gate-role', at: 'move' }), 'the role that is worn does not list this (move)');
  assert.equal(why({ code: 'never-heard-of', at: '' }), 'never heard of', 'a code of another version of the server is said as it is written');
  assert.equal(outcomeText('no-match'), 'does not match');
  assert.equal(outcomeText({ 'wrong-cognition': { required: 'human' } }), 'matches, but the role asks for another cognition');
});

test('a point of the drawing is a cell of the grid, or none beside it', () => {
  const size = { x: 6, y: 4 };
  assert.deepEqual(cellAt({ x: 96, y: 160 }, 64, size), { x: 1, y: 2, z: 0 });
  assert.deepEqual(cellAt({ x: 0, y: 0 }, 64, size), { x: 0, y: 0, z: 0 });
  for (const point of [{ x: -1, y: 10 }, { x: 384, y: 10 }, { x: 10, y: 256 }]) assert.equal(cellAt(point, 64, size), null);
});

test('a list that is held counts all that comes and keeps the newest of it', () => {
  const come = (from: number, count: number): Report[] => Array.from({ length: count }, (_, index) => report({ seq: from + count - 1 - index }));
  const list = come(1, 5);
  const few = joined(joined(nothing, come(6, 2)), come(8, 1));
  assert.equal(few.count, 3);
  assert.deepEqual(released(list, few)?.map(({ seq }) => seq), [8, 7, 6, 5, 4, 3, 2, 1]);
  let many = nothing;
  for (let from = 6; from < 50_006; from += 500) many = joined(many, come(from, 500));
  assert.equal(many.count, 50_000);
  assert.ok(many.kept.length <= 200, 'no more is kept, however much comes');
  assert.equal(many.kept[0]?.seq, 50_005);
  assert.equal(released(list, many), null, 'what is not at hand is read anew');
});

test('a wake is told by days and moments, never by milliseconds and ids of facts', () => {
  const like = '2026-03-03T08:00:00+01:00';
  const rows = wakeRows({ kind: 'self-continue', cause: '102.4294967295', due: 1_772_522_400_000, content: null }, 103, like);
  assert.deepEqual(rows, [{ name: 'due', value: '2026-03-03 08:20:00' }, { name: 'caused in', moment: 102 }]);
  assert.deepEqual(wakeRows({ kind: 'gesture', cause: '103.0', due: 1_772_522_400_000 }, 103, like), [], 'a gesture is its own cause');
  assert.deepEqual(wakeRows({ kind: 'schedule', cause: '44.0', name: 'morning' }, 103, like), [{ name: 'schedule', value: 'morning' }, { name: 'set in', moment: 44 }]);
  assert.equal(instantOf('until', 1_772_522_400_000, like), '2026-03-03 08:20:00');
  for (const [key, value] of [['count', 1_772_522_400_000], ['until', 7], ['until', '2h']] as [string, Json][]) assert.equal(instantOf(key, value, like), null);
});
