// The bar of the past: what lies where on it, and what is written beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comingOf, dateText, follows, grown, hourPoint, isPoint, latest, instantText, ofPulse, panned, placeOf, pointAt, shareOf, slid, spanOf, ticks, zoomed, type Happened, type Window } from '../src/lib/timeline.ts';
import { Many, NOWHERE } from '../src/lib/crowd.ts';
import type { Bucket, Report, Timeline } from '../src/lib/wire.ts';

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

test('from near, places and points are those of what is shown', () => {
  // The hours from 8 to 12 of the day.
  const shown = day.slice(8, 12);
  for (let seq = 81; seq <= 120; seq += 1) assert.equal(pointAt(shown, placeOf(shown, seq, 80) - 1e-9, 80, false), seq, String(seq));
  assert.deepEqual([placeOf(shown, 20, 80), placeOf(shown, 999, 80)], [0, 1]);
  assert.equal(pointAt(shown, 1, 80, false), 120, 'the end of what is shown is not now');
  assert.equal(pointAt(shown, 1, 80), null);
});

test('one comes nearer around a place and back out to all of it', () => {
  const near = zoomed(day, null, 0.5, 0.5, 240);
  assert.deepEqual(near, { from: 60, to: 180 });
  assert.deepEqual(zoomed(day.slice(6, 18), near, 0, 0.5, 240), { from: 60, to: 120 }, 'what lies at the place stays');
  const out = zoomed(day.slice(6, 18), near, 0.5, 1.5, 240);
  assert.deepEqual(out, { from: 30, to: 210 });
  assert.equal(zoomed(day.slice(3, 21), out, 0.5, 4, 240), null);
  let window: Window | null = near;
  for (let turn = 0; turn < 40; turn += 1) window = zoomed(day.slice(6, 18), window, 0.3, 0.7, 240);
  assert.ok(window && window.to - window.from >= 8 && window.to - window.from <= 120, JSON.stringify(window));
  assert.equal(zoomed([bucket('2026-03-02T00:00:00Z', 5)], null, 0.5, 0.5, 5), null, 'a few frames are shown whole');
});

test('many moments at one instant are parted by their number', () => {
  const instant = [bucket('2026-03-02T00:00:00Z', 300, 300), bucket('2026-03-02T00:00:01Z', 300)];
  const near = zoomed(instant, { from: 0, to: 300 }, 0.5, 0.5, 1000);
  assert.ok(near && near.to - near.from < 300, JSON.stringify(near));
});

test('what is shown is moved within the past, and follows where one goes', () => {
  assert.deepEqual(panned({ from: 60, to: 120 }, 0.5, 240), { from: 90, to: 150 });
  assert.deepEqual(panned({ from: 60, to: 120 }, -9, 240), { from: 0, to: 60 });
  assert.deepEqual(panned({ from: 60, to: 120 }, 9, 240), { from: 180, to: 240 });
  const window = { from: 60, to: 120 };
  assert.equal(follows(window, 90, 240), window);
  assert.equal(follows(null, 90, 240), null);
  assert.deepEqual(follows(window, 200, 240), { from: 170, to: 230 });
  assert.deepEqual(latest(window, 240), { from: 180, to: 240 });
  assert.equal(latest(window, 50), null);
});

test('an instant has its share of the time between two others', () => {
  const share = (time: string): number => shareOf(time, '2026-03-02T00:00:00Z', '2026-03-02T10:00:00Z');
  assert.deepEqual([share('2026-03-02T05:00:00Z'), share('2026-03-02T02:00:00+01:00'), share('2026-03-01T00:00:00Z'), share('2027-03-01T00:00:00Z')], [0.5, 0.1, 0, 1]);
  assert.equal(shareOf('2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-02T00:00:00Z'), 0);
});

const line = (buckets: Bucket[]): Timeline => ({ began: buckets[0]?.time ?? '', ended: buckets.at(-1)?.time ?? '', buckets });
const moment = (time: string, seq: number, closing: Report['closing'] = 'act', code = ''): Happened => ({ seq, time, closing, reason: code ? { code } : null });
const sum = ({ buckets }: Timeline): number => buckets.reduce((all, { moments }) => all + moments, 0);

test('what happens is counted at the end of the bar, in parts as long as those before', () => {
  const now = grown(line(day), [moment('2026-03-02T23:30:00+01:00', 240), moment('2026-03-03T01:10:00+01:00', 241, 'refused'), moment('2026-03-03T01:20:00+01:00', 243, 'dead-letter')], 24);
  assert.deepEqual(now.buckets.slice(23).map(({ time, seq, moments, refused, failed }) => [time, seq, moments, refused, failed]), [
    ['2026-03-02T23:00:00+01:00', 241, 1, 0, 0], ['2026-03-03T00:00:00+01:00', 241, 0, 0, 0], ['2026-03-03T01:00:00+01:00', 244, 2, 1, 1],
  ]);
  assert.equal(now.ended, '2026-03-03T01:20:00+01:00');
  assert.equal(day.length, 24, 'what was there is as it was');
});

test('a moment that the bar has already is counted once, and a model that is only asked is none', () => {
  const once = grown(line(day), [moment('2026-03-02T23:30:00+01:00', 239), moment('2026-03-02T23:31:00+01:00', 240, 'requeued', 'asking')], 24);
  assert.deepEqual([sum(once), once.buckets.at(-1)?.seq], [0, 241]);
  assert.equal(grown(once, [moment('2026-03-02T23:30:00+01:00', 240)], 24), once);
});

test('parts are joined where time goes on far, and nothing is lost among them', () => {
  let now = line(day);
  let last = 240;
  for (const time of ['2026-03-05T00:00:00+01:00', '2026-03-05T00:00:01+01:00', '2026-07-01T12:00:00+02:00', '2031-01-01T00:00:00+01:00']) now = grown(now, [moment(time, last++)], 24);
  assert.deepEqual([sum(now), now.buckets.at(-1)?.seq, now.buckets[0]?.time], [4, 244, day[0]?.time]);
  assert.ok(now.buckets.length <= 48, String(now.buckets.length));
  assert.ok(now.buckets.every(({ seq }, index) => seq >= (now.buckets[index - 1]?.seq ?? 0)));
});

test('an empty past, and one of a single instant, grow too', () => {
  const began = grown({ began: '', ended: '', buckets: [] }, [moment('2026-03-02T06:00:00Z', 0), moment('2026-03-02T07:00:00Z', 1)], 24);
  assert.deepEqual([sum(began), began.buckets.at(-1)?.seq, began.began], [2, 2, '2026-03-02T06:00:00Z']);
  const still = grown(line([bucket('2026-03-02T06:00:00Z', 3, 3)]), [moment('2026-03-02T06:00:00Z', 3)], 24);
  assert.deepEqual(still.buckets, [bucket('2026-03-02T06:00:00Z', 4, 4)]);
});

test('a window to now goes along, about as long as it was', () => {
  const { line: shown, window } = slid(grown(line(day.slice(10)), [moment('2026-03-03T00:10:00+01:00', 240), moment('2026-03-03T03:10:00+01:00', 265)], 24), { from: 100, to: 240 });
  assert.deepEqual([window, shown.began, shown.buckets.at(-1)?.seq], [{ from: 120, to: 266 }, '2026-03-02T12:00:00+01:00', 266]);
  assert.deepEqual(slid(line(day), { from: 0, to: 240 }).window, { from: 0, to: 240 });
});

test('an hour is the last instant that had it, on the clock of the world', () => {
  const now = '2026-03-02T09:14:30+01:00';
  assert.deepEqual(['9:14', '09:14:31', '23:05', '9:5', '24:00', 'noon'].map((text) => hourPoint(text, now)), ['2026-03-02T09:14:00', '2026-03-01T09:14:31', '2026-03-01T23:05:00', null, null, null]);
});

test('a text is known as a point of the past', () => {
  assert.ok(['14:30', '~10m', '@ada/7', '@ada/7+', '#148', '148', '2026-03-02T09:00', 'when {"moment.closing": "refused"}'].every(isPoint));
  assert.ok(!['ada', '@ada', '/hall', '', 'whenever', '14:3'].some(isPoint));
});

test('the parts of a bar say how long it is', () => {
  const hour = 3_600_000;
  assert.deepEqual(spanOf({ began: '', ended: '', buckets: day }), { from: Date.parse('2026-03-01T23:00:00Z'), to: Date.parse('2026-03-01T23:00:00Z') + 24 * hour });
  assert.deepEqual(spanOf({ began: '2026-03-02T00:00:00Z', ended: '2026-03-02T00:00:05Z', buckets: [bucket('2026-03-02T00:00:00Z', 2)] }), { from: Date.parse('2026-03-02T00:00:00Z'), to: Date.parse('2026-03-02T00:00:05Z') });
});

test('what lies ahead is said once of each kind, the next of it', () => {
  const due = (what: string, at: number) => ({ what, at, time: '', who: '@mo', kind: 'schedule' as const });
  assert.deepEqual(comingOf([due('look', 1), due('look', 5), due('skateco:on-break', 6), due('look', 7)], 2).map(({ what, at }) => [what, at]), [['look', 5], ['on break', 6]]);
});

test('a pulse counts as all that it stands for, and behind the end of the bar its share', () => {
  const pulse = { seq: 120, at: 0, time: '2026-03-02T09:00:10Z', moments: 20, acts: 16, looks: 0, refused: 4, failed: 2, skipped: 10, places: [], moved: [], worn: [], isCut: false };
  const line = (seq: number) => ({ began: '2026-03-02T09:00:00Z', ended: '2026-03-02T09:00:09Z', buckets: [{ time: '2026-03-02T09:00:00Z', seq, moments: 5, refused: 0, failed: 0 }, { time: '2026-03-02T09:00:09Z', seq, moments: 0, refused: 0, failed: 0 }] });
  const sum = (seq: number) => grown(line(seq), [ofPulse(pulse, 100)], 10).buckets.reduce((all, { moments, refused, failed }) => [all[0]! + moments, all[1]! + refused, all[2]! + failed], [0, 0, 0]);
  assert.deepEqual([sum(100), sum(110), sum(120)], [[25, 4, 2], [15, 2, 1], [5, 0, 0]]);
  assert.equal(grown(line(100), [ofPulse(pulse, 100)], 10).buckets.at(-1)?.seq, 120);
});

test('the lists of a crowd go along with what pulses and moments tell', () => {
  const beings = { ids: [7, 8], names: ['ada', 'bo'], roles: [1, 1], minds: [0, 2], xy: [1, 2, 3, 4] };
  const place = (id: number, address: string, named?: typeof beings) => ({ id, address, name: address, type: 'place', count: named ? 2 : 0, wears: named ? [[1, 2]] : [], beings: named ?? { ids: [], names: [], roles: [], minds: [] } });
  const many = new Many({ roles: ['', 'guard'], more: 0, stopped: false, places: [place(1, '/town', beings), place(2, '/town/inn')] });
  const pulse = { seq: 1, at: 0, time: '', moments: 1, acts: 1, looks: 0, refused: 0, failed: 0, skipped: 1, places: [], isCut: false };
  assert.equal(many.take([{ ...pulse, moved: [[8, 2]], worn: [[8, 'baker'], [99, 'baker']] }]), true);
  assert.deepEqual([[...many.place], [...many.roles], many.roleNames, [...many.xy]], [[0, 1], [1, 2], ['', 'guard', 'baker'], [1, 2, -1, -1]]);
  assert.deepEqual(many.places.map(({ count, wears }) => [count, wears.filter(([, n]) => n !== 0)]), [[1, [[1, 1]]], [1, [[2, 1]]]]);
  many.take([{ ...pulse, moved: [[7, 99, 1, 1]], worn: [] }]);
  assert.deepEqual([many.place[0], many.places[0]?.count, many.length, many.find('bo')], [NOWHERE, 0, 2, 1]);
});
