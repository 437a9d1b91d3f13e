// Numbers of now: all of one seq and never a part of each, the pace that is reached, and the models that are waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newerOf, numbersOf } from '../src/lib/numbers.ts';
import { paceText, Reached, reachedText } from '../src/lib/pace.ts';
import { waitOf, waitsText, waitText } from '../src/lib/waits.ts';
import type { Measure, Numbers, WorldInfo } from '../src/lib/wire.ts';

const measure = (name: string, now: Measure['now']): Measure => ({ name, now, title: name, isWarning: false, value: '' });
const world = (more: object): WorldInfo => ({ name: 'x', about: null, world: 'w', simulated: false, time: '2026-03-02T06:00:00Z', at: 7, clock: { pace: 'real', state: 'running' }, seq: 12, ...more }) as WorldInfo;

test('an answer has the numbers of the seq that it says it measured, and the first three that are numbers', () => {
  const now = { say: 'All is quiet.', watch: false };
  const measures = [measure('a', 1), measure('b', null), measure('c', 'text'), measure('d', 4), measure('e', 5), measure('f', 6)];
  const told = numbersOf(world({ measures, measured: 9, now }));
  assert.deepEqual([told?.seq, told?.now, told?.measures.map(({ name }) => name)], [9, now, ['a', 'd', 'e']]);
  assert.equal(numbersOf(world({})), null);
  const large = [measure('large', 9_007_199_254_740_993n as never), ...measures];
  assert.deepEqual(numbersOf(world({ measures: large, measured: 9, now }))?.measures.map(({ name }) => name), ['large', 'a', 'd'], 'a number that only its digits hold is one');
});

test('of two the newer counts, whole', () => {
  const numbers = (seq: number): Numbers => ({ seq, at: seq, time: '', measures: [measure('a', seq)], now: { say: String(seq), watch: false } });
  assert.deepEqual([newerOf(numbers(3), numbers(9))?.seq, newerOf(numbers(9), numbers(3))?.seq, newerOf(null, numbers(3))?.seq], [9, 9, 3]);
  const newer = newerOf(numbers(3), numbers(9));
  assert.deepEqual([newer?.measures[0]?.now, newer?.now?.say], [9, '9']);
});

test('the pace that is reached is never above the one asked for', () => {
  for (const asked of [0.01, 0.5, 1, 9.96, 10, 60, 77, 600]) {
    for (const share of [0.01, 0.5, 0.93, 0.99, 1, 1.01, 1.3, 40]) {
      const shown = Number(reachedText(asked * share, asked).replace('reaches ×', ''));
      assert.ok(shown <= Number(paceText(asked).slice(1)), `${asked} × ${share}: ${shown}`);
    }
  }
  assert.equal(reachedText(412, 600), 'reaches ×412');
  const reached = new Reached();
  // A world that came in leaps: two hours within two seconds.
  reached.note(0, 0);
  reached.note(2000, 7_200_000);
  assert.equal(reachedText(reached.pace, 60), 'reaches ×60');
});

test('a model that does not answer is said with since when, and at who waits', () => {
  const waits = [{ connection: 'small', why: '503', since: '2026-03-02T20:00:14+01:00', beings: ['@ada'] }, { connection: 'large', why: 'endpoint-timeout', since: '2026-03-02T20:05:00+01:00', beings: [] }];
  assert.equal(waits[0] && waitText(waits[0]), 'waits for small since 20:00');
  assert.equal(waitsText(waits), 'The world waits for small since 20:00, for large since 20:05.');
  assert.deepEqual([waitOf(waits, '@ada')?.connection, waitOf(waits, '@bo'), waitOf(undefined, '@ada'), waitsText([])], ['small', null, null, '']);
});
