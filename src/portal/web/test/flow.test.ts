// Every legal flow survives the way into sentences and back.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import './known.ts';
import { moved, newAsk, newClause, newMany, read, rolesOf, sentence, valueFor, write, type Clause } from '../src/lib/flow.ts';
import type { Json } from '../src/lib/wire.ts';

const fixtures = join(process.cwd(), '../../../fixtures');
const load = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json;
const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));

interface Row { name: string; flow?: Json; when?: Json; refused?: Json }
const rows = (file: string): Row[] => (load(join(fixtures, 'flows', file)) as unknown as { rows: Row[] }).rows;
const flowOf = (row: Row): Json => (row.when === undefined ? (row.flow ?? null) : [{ when: row.when, role: 'x' }]);

const legal = ['examples.json', 'guards.json', 'when.json', 'lint.json'].flatMap((file) => rows(file).map((row) => ({ file, row })))
  .filter(({ row }) => typeof row.flow !== 'string' && row.refused === undefined);

test('the tables of flows are there', () => {
  assert.ok(legal.length > 100, `expected more than 100 rows, found ${legal.length}`);
});

for (const { file, row } of legal) {
  test(`${file}: ${row.name}`, () => {
    const flow = flowOf(row);
    const lines = read(flow);
    assert.ok(lines);
    assert.deepEqual(write(lines), flow);
    // What the design calls legal needs no raw clause: sentences can show it.
    assert.ok(lines.every((line) => line.kind === 'clause'), JSON.stringify(flow));
    for (const line of lines) assert.ok(sentence(line).length > 0);
  });
}

for (const path of files(join(fixtures, 'worlds')).filter((path) => path.endsWith('.flow.json'))) {
  test(`worlds: ${path.split('/').slice(-2).join('/')}`, () => {
    const flow = load(path);
    const lines = read(flow);
    assert.ok(lines);
    assert.deepEqual(write(lines), flow);
  });
}

test('a malformed flow is kept as it is written, chip by chip', () => {
  for (const row of rows('refused.json')) {
    const flow = flowOf(row);
    const lines = read(flow);
    if (lines) assert.deepEqual(write(lines), flow, row.name);
    else assert.ok(!Array.isArray(flow), row.name);
  }
});

test('sentences say what the JSON says', () => {
  const say = (clause: Json): string => sentence(read([clause])?.[0] ?? newClause());
  assert.equal(say({ role: 'watcher' }), 'always wear watcher');
  assert.equal(say({ when: { 'space.name': 'court', 'world.court.in-session': true }, role: 'judge' }), 'when space.name is court and world.court.in-session is true, then wear judge');
  assert.equal(say({ stack: true, when: { 'time.hour': { gte: 9, lt: 17 } }, role: 'busy' }), 'when time.hour is at least 9 and time.hour is less than 17, then wear busy on top');
  assert.equal(say({ when: { or: [{ verb: 'do' }, { verb: 'be' }], not: { inHomeSpace: true } }, role: 'x' }), 'when (verb is do or verb is be) and not (inHomeSpace is true), then wear x');
  assert.equal(say({ when: { 'me.position': { ne: { path: 'me.home' } } }, role: 'x' }), 'when me.position is not what me.home is, then wear x');
  assert.equal(say({ when: { space: { quality: { ambient: { tone: 'quiet' } } } }, role: 'x' }), 'when space.quality.ambient.tone is quiet, then wear x');
});

test('two questions about one path become one key, and what clashes goes under and', () => {
  const ask = (op: 'gte' | 'lt', value: number) => ({ ...newAsk('time.hour'), bare: false, tests: [{ op, value, id: 0 }] });
  const clause = (parts: NonNullable<Clause['when']>['parts']): Clause => ({ ...newClause('x'), when: { parts, id: 0 } });
  assert.deepEqual(write([clause([ask('gte', 9), ask('lt', 17)])]), [{ when: { 'time.hour': { gte: 9, lt: 17 } }, role: 'x' }]);
  assert.deepEqual(write([clause([ask('gte', 9), ask('gte', 10)])]), [{ when: { 'time.hour': { gte: 9 }, and: [{ 'time.hour': { gte: 10 } }] }, role: 'x' }]);
  const either = newMany('or');
  const written = write([clause([either, newMany('or')])]) as { when: { or: Json[]; and: Json[] } }[];
  assert.equal(written[0]?.when.and.length, 1, 'the second `or` is kept, under `and`');
});

test('a bare value stays bare only while it means the same', () => {
  const lines = read([{ when: { verb: 'do' }, role: 'x' }]);
  const line = lines?.[0];
  assert.ok(line?.kind === 'clause');
  const part = line.when?.parts[0];
  assert.ok(part?.kind === 'ask' && part.tests[0]);
  part.tests[0].value = ['do', 'be'];
  assert.deepEqual(write([line]), [{ when: { verb: { eq: ['do', 'be'] } }, role: 'x' }], 'a bare list would be one of');
  part.tests[0].op = 'in';
  assert.deepEqual(write([line]), [{ when: { verb: ['do', 'be'] }, role: 'x' }]);
  part.tests[0].op = 'eq';
  part.tests[0].value = { path: 'intent' };
  assert.deepEqual(write([line]), [{ when: { verb: { eq: { path: 'intent' } } }, role: 'x' }]);
});

test('a value keeps what fits when its operator changes', () => {
  assert.deepEqual(valueFor('in', 'court'), ['court']);
  assert.deepEqual(valueFor('eq', ['court', 'yard']), 'court');
  assert.equal(valueFor('gte', true), 0);
  assert.equal(valueFor('present', 'court'), true);
  assert.deepEqual(valueFor('ne', { path: 'me.home' }), { path: 'me.home' });
});

test('clauses move without being lost', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
  assert.deepEqual(moved(['a', 'b'], 0, 5), ['a', 'b']);
  assert.deepEqual(rolesOf([{ role: 'a' }, { role: 'b' }, { role: 'a' }, 7]), ['a', 'b']);
});
