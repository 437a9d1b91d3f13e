// What is written along the dock: at every zoom and width there are hours or dates, and nothing lies on anything else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoText, labels, signs, WORDS } from '../src/lib/axis.ts';
import { Reached, reachedText } from '../src/lib/pace.ts';
import { bars, heightOf, nextSpot, spots } from '../src/lib/reel.ts';
import { offsetOf } from '../src/lib/zone.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-02T05:51:13.250Z');
/** The same numbers each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('at every width and every zoom there are two labels at least, none on another, none outside', () => {
  const random = numbers(7);
  const next = (): number => random.next().value as number;
  const spans = [0, 1, 40, 900, 3000, 61_000, 3_600_000, DAY, 40 * DAY, 400 * DAY, 36_500 * DAY];
  const cases = [
    ...spans.flatMap((span) => [130, 186, 240, 336, 560, 940, 1600, 3000].map((width) => [span, width, START])),
    ...Array.from({ length: 6000 }, () => [Math.exp(next() * Math.log(36_500 * DAY)), 130 + next() * 2400, START + next() * 900 * DAY]),
  ] as [number, number, number][];
  for (const [span, width, from] of cases) {
    const found = labels(from, from + span, width, () => 3_600_000);
    const what = `${span} ms on ${width} px from ${new Date(from).toISOString()}: ${found.map(({ text }) => text).join(' ')}`;
    assert.ok(found.length >= 2, what);
    found.forEach((label, index) => {
      assert.ok(label.from >= 0 && label.from + label.width <= width + 0.001 && label.text !== '', what);
      const before = found[index - 1];
      assert.ok(!before || before.from + before.width < label.from, what);
    });
    // Wherever the playhead stands with its own words, something else is to be read beside it, where there is room for three.
    if (width < 240 || span < 2000) continue;
    const stands = Math.max(32, Math.min(width - 32, (from % 1000) / 1000 * width));
    const beside = labels(from, from + span, width, () => 0, [stands - 36, stands + 36]);
    assert.ok(beside.some((each) => each.from >= stands + 36 || each.from + each.width <= stands - 36), `${what}, at ${stands}`);
  }
});

test('labels are hours of the world, and its dates where a day begins', () => {
  const text = (from: string, hours: number, width: number): string => labels(Date.parse(from), Date.parse(from) + hours * 3_600_000, width, () => offsetOf(from)).map((each) => each.text).join(' ');
  assert.equal(text('2026-03-02T05:51:00+01:00', 9, 700), '6:00 7:00 8:00 9:00 10:00 11:00 12:00 13:00 14:00');
  assert.equal(text('2026-03-02T20:00:00+01:00', 8, 700), '20:00 21:00 22:00 23:00 3 Mar 1:00 2:00 3:00');
  assert.equal(text('2026-03-02T20:00:00Z', 24 * 300, 200), 'Apr Jul Oct');
  assert.equal(text('2026-03-02T20:00:00Z', 24 * 2000, 300), '2027 2028 2029 2030 2031');
});

test('what lies ahead lies on nothing else, and says as much as there is room for', () => {
  const random = numbers(3);
  for (let run = 0; run < 800; run += 1) {
    const width = 40 + (random.next().value as number) * 400;
    const all = Array.from({ length: Math.floor((random.next().value as number) * 30) }, (_, of) => ({ x: (random.next().value as number) * width, text: 'tour of the yard'.slice(0, 3 + (of % 13)), of }));
    const placed = signs(all, width, 3);
    for (const [index, one] of placed.entries()) {
      assert.ok(one.x + (one.isSaid ? WORDS + one.width : 0) <= width);
      // The line of a sign goes down through the rows below it, and through no words there.
      for (const other of placed.slice(index + 1)) assert.ok(other.row >= one.row || !one.isSaid || other.x >= one.x + WORDS + one.width, `the line at ${other.x} and ${one.text}`);
      for (const other of placed.slice(index + 1)) assert.ok(one.row !== other.row || one.x + (one.isSaid ? WORDS + one.width : 4) <= other.x - 4, `${one.x} ${one.text} and ${other.x} in row ${one.row}`);
    }
  }
  assert.deepEqual(signs([{ x: 10, text: 'break', of: 1 }, { x: 30, text: 'tour', of: 2 }], 200, 2).map(({ row, isSaid }) => [row, isSaid]), [[0, true], [1, true]]);
});

test('bars keep every moment, and have three pixels at least', () => {
  const buckets = Array.from({ length: 240 }, (_, at) => ({ time: '', seq: at, moments: at, refused: 0, failed: 0 }));
  for (const width of [1, 90, 186, 700, 2000]) {
    const counts = bars(buckets, width);
    assert.equal(counts.reduce((sum, each) => sum + each, 0), 239 * 120);
    assert.ok(counts.length === 1 || width / counts.length >= 2.9, `${counts.length} bars on ${width}`);
  }
});

test('few hours with very many moments do not flatten the others', () => {
  assert.ok(heightOf([...Array(99).fill(10), 5000]) < 20);
  assert.equal(heightOf([]), 1.6);
});

test('signs of the past that would lie on one another are one, with all that they stand for', () => {
  const at = (refused: number, failed: number) => ({ time: '2026-03-02T09:40:00Z', seq: 1, moments: 3, refused, failed });
  const buckets = [at(1, 0), at(2, 1), at(0, 0), at(0, 0), at(0, 2)];
  const clock = (iso: string): string => iso.slice(11, 16);
  const line = { buckets, ended: '2026-03-02T09:40:30Z' };
  assert.deepEqual(spots(line, 500, clock).map(({ words, isFailure }) => [words, isFailure]), [['1 refused at 09:40', false], ['2 refused, 1 failed at 09:40', true], ['2 failed at 09:40', true]]);
  assert.deepEqual(spots(line, 10, clock).map(({ words }) => words), ['3 refused, 3 failed at 09:40']);
});

test('a sign knows in which frames its pile lies, and says no hour that none of it had', () => {
  const part = (hour: string, seq: number, refused: number) => ({ time: `2026-03-02T${hour}:00Z`, seq, moments: 9, refused, failed: 0 });
  const line = { buckets: [part('10:00', 40, 0), part('10:30', 70, 2), part('11:00', 90, 18), part('11:30', 120, 0), part('12:00', 130, 1)], ended: '2026-03-02T12:12:00Z' };
  const clock = (iso: string): string => iso.slice(11, 16);
  assert.deepEqual(spots(line, 10, clock, 7).map(({ words, from, to }) => [words, from, to]), [['21 refused between 10:30 and 12:12', 40, 130]]);
  assert.deepEqual(spots(line, 500, clock, 7).map(({ words, from, to }) => [words, from, to]), [
    ['2 refused between 10:30 and 11:00', 40, 70], ['18 refused between 11:00 and 11:30', 70, 90], ['1 refused between 12:00 and 12:12', 120, 130],
  ]);
  assert.equal(spots({ ...line, buckets: line.buckets.slice(1) }, 500, clock, 7)[0]?.from, 7, 'the first part begins where what is shown begins');
});

test('how long ago something was is said as people say it', () => {
  const hour = 3_600_000;
  assert.deepEqual([1000, 26 * 60_000, hour * 2, 5.4 * hour, 14 * hour, 70 * hour].map(agoText), ['1 second ago', '26 minutes ago', '2 hours ago', '5.5 hours ago', '14 hours ago', '3 days ago']);
});

test('the pace that is reached comes of the clock of the last seconds', () => {
  const seen = new Reached();
  assert.equal(reachedText(seen.pace, 600), '');
  for (let at = 0; at <= 12_000; at += 100) seen.note(at, at < 6000 ? at * 600 : 3_600_000 + (at - 6000) * 400);
  assert.equal(Math.round(seen.pace ?? 0), 450);
  assert.deepEqual([reachedText(412.4, 600), reachedText(598, 600), reachedText(0.52, 0.5)], ['reaches ×412', 'reaches ×600', 'reaches ×0.5']);
  seen.note(12_200, 0);
  assert.equal(seen.pace, null, 'another past');
});

/** Where one stands, on or back, and to which pile that leads; piles lie in 0 to 40, 40 to 70 and 120 to 130. */
const NEXT: [number | null, boolean, number | undefined][] = [
  [1, true, 0], [12, true, 1], [40, true, 1], [41, true, 2], [125, true, undefined], [null, true, undefined],
  [null, false, 2], [125, false, 1], [100, false, 1], [70, false, 0], [40, false, undefined], [1, false, undefined],
];
for (const [at, isForward, wanted] of NEXT) {
  test(`${isForward ? 'on' : 'back'} from ${at ?? 'now'} lies ${wanted === undefined ? 'no sign' : `sign ${wanted}`}`, () => {
    const piles = [[0, 40], [40, 70], [120, 130]].map(([from = 0, to = 0], x) => ({ x, words: '', isFailure: false, from, to }));
    assert.equal(nextSpot(piles, at, isForward)?.x, wanted);
  });
}
