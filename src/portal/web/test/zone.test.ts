// Summer and winter have other offsets: each instant is told by its own.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import './known.ts';
import { labels } from '../src/lib/axis.ts';
import { grown } from '../src/lib/timeline.ts';
import { instantAt, instantsOf, offsetAt, offsetOf, zoneIs } from '../src/lib/zone.ts';
import { timeOf } from '../src/lib/words.ts';

const HOUR = 3_600_000;
const NOW = '2026-10-25T04:10:00+01:00';
const offset = (ms: number): number => offsetAt(ms, NOW);
beforeEach(() => zoneIs('Europe/Berlin'));
afterEach(() => zoneIs(null));

test('an instant has the offset of its own season', () => {
  assert.deepEqual(['2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z', '2026-07-01T00:00:00Z'].map((iso) => offset(Date.parse(iso)) / HOUR), [2, 1, 2]);
  assert.equal(timeOf(Date.parse('2026-10-25T00:30:00Z'), NOW), '2026-10-25 02:30:00');
  assert.equal(instantAt(Date.parse('2026-10-25T00:30:00Z'), NOW), '2026-10-25T02:30:00+02:00');
  zoneIs('Nowhere/Nothing');
  assert.equal(offset(Date.parse('2026-07-01T00:00:00Z')) / HOUR, 1, 'where the zone is not known, the instant that is told has it');
  zoneIs('UTC');
  assert.equal(instantAt(0, '2026-01-01T00:00:00Z'), '1970-01-01T00:00:00Z');
  assert.deepEqual([offsetOf('GMT+05:30'), offsetOf('GMT-03:00'), offsetOf('GMT')].map((ms) => ms / HOUR), [5.5, -3, 0]);
});

test('an hour that comes twice has two instants, one that is left out none', () => {
  const local = (iso: string): number => Date.parse(`${iso}Z`);
  assert.deepEqual(instantsOf(local('2026-10-25T02:30:00'), offset).map((ms) => new Date(ms).toISOString()), ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  assert.deepEqual(instantsOf(local('2026-03-29T02:30:00'), offset), []);
  assert.equal(instantsOf(local('2026-03-29T03:00:00'), offset).length, 1);
});

test('the axis of a night in which the clock is set back begins where the world begins', () => {
  const [from, to] = [Date.parse('2026-10-25T01:30:00+02:00'), Date.parse(NOW)];
  const found = labels(from, to, 700, offset);
  const hours = found.map(({ text }) => text);
  assert.ok(hours.includes('2:00') && hours.filter((text) => text === '2:30').length === 2, hours.join(' '));
  assert.ok(hours.every((text) => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1]) >= 90), hours.join(' '));
  const three = found.find(({ text }) => text === '3:00');
  assert.ok(three && Math.abs(three.x - ((Date.parse('2026-10-25T03:00:00+01:00') - from) / (to - from)) * 700) < 0.01);
  const spring = labels(Date.parse('2026-03-29T00:30:00+01:00'), Date.parse('2026-03-29T05:00:00+02:00'), 500, offset).map(({ text }) => text);
  assert.ok(!spring.includes('2:30') && spring.includes('1:30') && spring.includes('3:30'), spring.join(' '));
});

test('a part that is added to the bar has its own offset', () => {
  const bucket = (time: string, seq: number) => ({ time, seq, moments: 1, refused: 0, failed: 0 });
  const line = { began: '', ended: '', buckets: [bucket('2026-10-25T00:00:00+02:00', 1), bucket('2026-10-25T01:00:00+02:00', 2)] };
  const all = grown(line, [{ seq: 9, time: '2026-10-25T03:10:00+01:00', closing: 'act', reason: null }], 24).buckets.map(({ time }) => time.slice(11));
  assert.deepEqual(all, ['00:00:00+02:00', '01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00']);
});
