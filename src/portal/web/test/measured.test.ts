// What is measured: points that are joined in order, what an hour changed, and a spark that stays in its box.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beside, countsText, hourly, joined, pointsOf, sparkOf, titleOf, valueText, whoText, type Point } from '../src/lib/measured.ts';
import type { Measure, Space } from '../src/lib/wire.ts';

const HOUR = 3_600_000;
const point = (seq: number, time: number, boards: number | null): Point => ({ seq, time, values: { boards } });
const measure = (name: string, now: Measure['now'], title = name): Measure => ({ name, now, title, isWarning: false, value: '' });

test('what the server tells becomes points, and what is no number is none', () => {
  const points = pointsOf({ seqs: [10, 20], times: ['2026-03-02T06:00:00+01:00', '2026-03-02T07:00:00+01:00'], stopped: false, series: [{ name: 'boards', title: 'Boards packed', values: [null, 7] }] });
  assert.deepEqual(points, [point(10, Date.parse('2026-03-02T05:00:00Z'), null), point(20, Date.parse('2026-03-02T06:00:00Z'), 7)]);
});

test('points are joined in their order, the newer of one seq counts, and the ends stay', () => {
  const many = Array.from({ length: 100 }, (_, index) => point(index, index, index));
  assert.deepEqual(joined([point(1, 1, 1), point(3, 3, 3)], [point(2, 2, 2), point(3, 3, 4)], 9).map(({ values }) => values['boards']), [1, 2, 4]);
  const thin = joined(many, [point(100, 100, 100)], 30);
  assert.ok(thin.length <= 30);
  assert.deepEqual([thin[0]?.seq, thin.at(-1)?.seq], [0, 100]);
});

test('what an hour changed is only said where something is known of an hour ago', () => {
  const points = [point(1, 0, 10), point(2, HOUR / 2, 40), point(3, HOUR, 85)];
  assert.equal(hourly(points, 'boards', 90, HOUR + 1), 80);
  assert.equal(hourly(points, 'boards', 90, HOUR / 2), null);
  assert.equal(hourly(points, 'wear', 90, 2 * HOUR), null);
});

test('a spark stays in its box, and ends at its last value', () => {
  const values = [3, 9, 1, 4].map((value, at) => ({ at, value }));
  const drawn = sparkOf(values, 80, 20);
  const numbers = [...(drawn?.line ?? '').matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  assert.equal(numbers.length, 4);
  assert.ok(numbers.every(([x, y]) => x >= 0 && x <= 80 && y >= 0 && y <= 20));
  assert.deepEqual([drawn?.x, drawn?.y], [80, 12.5]);
  assert.equal(sparkOf([{ at: 1, value: 1 }], 80, 20), null);
  // What never changes lies on the floor of it.
  assert.equal(sparkOf([{ at: 0, value: 5 }, { at: 1, value: 5 }], 80, 20)?.y, 20);
});

test('values are short, and measures are called as people call them', () => {
  assert.deepEqual([0, 12, 0.123, 12.34, 1204, 481_516].map(valueText), ['0', '12', '0.12', '12.3', '1,204', '481.5K']);
  assert.deepEqual([titleOf(measure('calls-to-order', 1)), titleOf(measure('open', 1, 'Waiting for a verdict'))], ['Calls to order', 'Waiting for a verdict']);
});

test('names of another direction stay in their order', () => {
  const place = { address: '/hall', name: 'hall', type: 'hall', spaces: [], matter: [], beings: ['ada', 'משה', 'سلمى'].map((name) => ({ name, address: `@${name}`, cognition: 'script', paused: false, thinks: false, qualities: {}, wearing: [] })) };
  assert.equal(whoText(place), 'Ada, \u2068משה\u2069 and \u2068سلمى\u2069 are here.');
});

test('where a source says nothing, counts do', () => {
  const being = (name: string, role: string, thinks = false) => ({ name, address: `@${name}`, cognition: 'script', paused: false, qualities: {}, wearing: [role], thinks });
  const world = { address: '/', name: '/', spaces: [], matter: [], beings: [being('ada', 'worker'), being('gus', 'off-duty'), being('sana', 'supervisor', true)] } as unknown as Space;
  assert.equal(countsText(world), '3 beings, 1 off duty, 1 thinking.');
  assert.equal(countsText({ ...world, beings: [] }), 'Nobody is here.');
});

test('of a place it is said who is right in it, else how many are in the places within', () => {
  const place = (names: string[], spaces: Space[] = []): Space => ({ address: '/x', name: 'x', matter: [], spaces, beings: names.map((name) => ({ name })) }) as unknown as Space;
  assert.equal(whoText(place(['ada'])), 'Ada is here.');
  assert.equal(whoText(place(['ada', 'bo', 'cem'])), 'Ada, Bo and Cem are here.');
  assert.equal(whoText(place(['ada', 'bo', 'cem', 'dan', 'eli'])), 'Ada, Bo, Cem and 2 others are here.');
  assert.equal(whoText(place([], [place(['mo']), place([], [place(['sana'])])])), '2 beings are in the places within.');
  assert.equal(whoText(place([], [place(['mo'])])), '1 being is in the places within.');
  assert.equal(whoText(place([], [place([])])), 'Nobody is here.');
});

test('the points of two worlds lie in one order of time, and one instant of both is one point', () => {
  const [one, other] = [[point(10, 100, 1), point(20, 300, 2)], [point(10, 100, 1), point(15, 200, 5)]];
  assert.deepEqual(beside(one, other).map(({ seq, time, values, others }) => [seq, time, values['boards'] ?? null, others?.['boards'] ?? null]), [[10, 100, 1, 1], [0, 200, null, 5], [20, 300, 2, null]]);
});
