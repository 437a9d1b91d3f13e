// The bar of the past: what lies where on it, and what is written beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateText, instantText, outline, placeOf, pointAt, ticks } from '../src/lib/timeline.ts';
import type { Bucket } from '../src/lib/wire.ts';

const bucket = (time: string, seq: number, moments = 0): Bucket => ({ time, seq, moments, refused: 0, failed: 0 });
const day = Array.from({ length: 24 }, (_, hour) => bucket(`2026-03-02T${String(hour).padStart(2, '0')}:00:00+01:00`, 10 + hour * 10));

test('a point and its place are one another', () => {
  for (let seq = 1; seq <= 230; seq += 1) assert.equal(pointAt(day, placeOf(day, seq) - 1e-9), seq, String(seq));
  assert.deepEqual([placeOf(day, 10), placeOf(day, 240), placeOf(day, 999)], [1 / 24, 1, 1]);
});

test('the very end is now, and before the first frame there is nothing to stand at', () => {
  assert.deepEqual([pointAt(day, 1), pointAt(day, 2), pointAt([], 0.5)], [null, null, null]);
  assert.deepEqual([pointAt(day, 0), pointAt(day, -1)], [1, 1]);
});

test('where nothing happened the world is still the one before', () => {
  const still = [bucket('2026-03-02T00:00:00Z', 5), bucket('2026-03-02T01:00:00Z', 5), bucket('2026-03-02T02:00:00Z', 9)];
  assert.equal(pointAt(still, 0.5), 5);
  assert.equal(placeOf(still, 5), 1 / 3);
});

test('an instant is told as the world has it', () => {
  assert.equal(instantText('2026-03-02T09:14:30+01:00'), 'Mon 2 March 09:14');
  assert.equal(dateText('nothing'), '');
});

test('dates stand beside the bar as finely as there is room for', () => {
  assert.deepEqual(ticks(day, 30).map(({ text }) => text).slice(0, 2), ['01:00', '02:00']);
  assert.deepEqual(ticks(day, 10), []);
  const week = ['02-25', '02-26', '02-27', '02-28', '03-01', '03-02', '03-03'].map((date, at) => bucket(`2026-${date}T00:00:00Z`, at));
  assert.deepEqual(ticks(week, 6).map(({ text }) => text), ['26 Feb', '27 Feb', '28 Feb', '1 Mar', '2 Mar', '3 Mar']);
  assert.deepEqual(ticks(week, 3), [{ place: 4 / 7, text: 'March' }]);
});

test('an outline has a column for each part in which something happened', () => {
  const path = outline([bucket('', 1, 1), bucket('', 1), bucket('', 9, 1000)]);
  assert.deepEqual([path.match(/M\d+/g), path.includes('M2 100v-100h1v100z')], [['M0', 'M2'], true]);
});
