// The past on the page: how it is played, the lanes of a life, and what differs between two points.
import { did } from './told.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped, hasSides, partText, valueText } from '../src/lib/difference.ts';
import { isSaid, lived, markText, modifiersIn, nearest, stretched, within } from '../src/lib/lanes.ts';
import { isDone, isFailed, isHeard, isRefused } from '../src/lib/moment.ts';
import { next, pauseOf, SPEEDS } from '../src/lib/play.ts';
import type { DiffLine, LaneMark, Report } from '../src/lib/wire.ts';
import './known.ts';

const speed = (word: string) => SPEEDS.find((each) => each.word === word) ?? assert.fail(word);
const MORNING = Date.parse('2026-03-02T06:00:00Z');

test('so many moments pass in a second, on and back, and never before the first', () => {
  assert.deepEqual(next({ seq: 100, ms: 0 }, speed('20 moments'), true, 250).point, '105');
  assert.deepEqual(next({ seq: 100, ms: 0 }, speed('20 moments'), false, 1000).point, '80');
  assert.deepEqual(next({ seq: 3, ms: 0 }, speed('100 moments'), false, 1000).point, '1');
  assert.equal(next({ seq: 100, ms: 0 }, speed('1 moment'), true, 10).point, '101', 'a picture is always another moment');
  assert.deepEqual([pauseOf(speed('1 moment')), pauseOf(speed('100 moments')), pauseOf(speed('1 day'))], [1000, 250, 250]);
});

test('so much time of the world passes in a second, also where nothing happens', () => {
  let ms = MORNING;
  for (const expected of ['2026-03-02T06:05:00.000Z', '2026-03-02T06:10:00.000Z']) {
    const played = next({ seq: 100, ms }, speed('10 minutes'), true, 500);
    assert.equal(played.point, expected);
    ms = played.ms;
  }
  assert.equal(next({ seq: 100, ms: MORNING }, speed('1 hour'), false, 1000).point, '2026-03-02T05:00:00.000Z');
});

const mark = (more: Partial<LaneMark>): LaneMark => ({
  seq: 7, n: 2, time: '2026-03-02T09:14:30+01:00', wake: 'schedule', closing: 'act', deed: 'do /hall say {}', told: did('said', 'hello'), verb: 'do', action: 'say', target: '/hall', said: null, reason: null,
  cost: { calls: 0, input: 0, output: 0, money: 0 }, others: 0, ...more,
});
const axis = { began: '2026-03-02T09:00:00+01:00', ended: '2026-03-02T10:00:00+01:00' };

test('a mark is a sentence, with its kind, what was said and how many lie there', () => {
  assert.equal(markText(mark({ said: 'hello' })), 'Mon 2 March 09:14:30 said “hello”');
  assert.equal(markText(mark({ told: did('could not say: it is late'), closing: 'refused', reason: { code: 'gate-role', at: '/hall' }, others: 3 })), 'Mon 2 March 09:14:30 could not say: it is late, and 3 other moments close by');
  assert.match(markText(mark({ cost: { calls: 1, input: 900, output: 20, money: 0 } })), /\(920 tokens\)$/);
  assert.deepEqual((['act', 'refused', 'failed', 'dead-letter', 'see', 'ended'] as const).map((closing) => [isDone, isRefused, isFailed].findIndex((is) => is({ closing }))), [0, 1, 2, 2, -1, -1]);
  assert.deepEqual([isSaid(mark({ said: 'x' })), isSaid(mark({ said: 'x', closing: 'refused' })), isHeard('summons'), isHeard('schedule')], [true, false, true, false]);
});

test('bands last until the next, and what is over before the time that is shown is left out', () => {
  const band = (time: string, role: string) => ({ time: `2026-03-02T${time}:00+01:00`, stack: [role] });
  const drawn = stretched([band('08:00', 'a'), band('08:30', 'b'), band('09:15', 'c'), band('09:45', 'd')], axis);
  assert.deepEqual(drawn.map(({ band: { stack }, left, right }) => [stack[0], left, right]), [['b', 0, 0.25], ['c', 0.25, 0.75], ['d', 0.75, 1]]);
  assert.deepEqual(modifiersIn([['a', 'x'], ['b', 'y', 'x'], ['a']]), ['x', 'y']);
});

test('the nearest mark is meant, if it is near', () => {
  const marks = [mark({ seq: 1, time: '2026-03-02T09:06:00+01:00' }), mark({ seq: 2, time: '2026-03-02T09:30:00+01:00' })];
  assert.deepEqual(within([...marks, mark({ seq: 3, time: '2026-03-02T10:06:00+01:00' })], axis).map(({ seq }) => seq), [1, 2], 'what is not shown lies nowhere');
  assert.deepEqual([nearest(marks, 0.48, axis, 0.1)?.seq, nearest(marks, 0.12, axis, 0.1)?.seq, nearest(marks, 0.8, axis, 0.1)], [2, 1, null]);
});

const line = (kind: string, of: string, what: string, was: DiffLine['was'], is: DiffLine['is'], lines: number | null = null): DiffLine => ({ kind, of, what, was, is, lines });

test('what differs is told in words, by kind and by thing', () => {
  const lines = [
    line('role', 'judge', '', 'a', 'b', 3), line('being', '@ada', 'position', '/a', '/b'), line('being', '@ada', 'qualities.t.n', null, 4), line('being', '@eva', '', null, {}),
    line('signal', '', 'court.on', true, null), line('matter', '/a/cup', '', {}, null), line('being', '@bob', 'ended', false, true),
  ];
  assert.deepEqual(lines.map(partText), ['3 lines differ', 'moved', 't.n', 'was born', 'court.on', 'is gone', 'ended']);
  assert.deepEqual(lines.map(hasSides), [false, true, true, false, true, false, true]);
  const groups = grouped(lines);
  assert.deepEqual(groups.map(({ called, things }) => [called, things.map(({ of, lines: { length } }) => `${of} ${length}`)]), [
    ['Beings', ['@ada 2', '@eva 1', '@bob 1']], ['Things', ['/a/cup 1']], ['Signals', [' 1']], ['Roles', ['judge 1']],
  ]);
  assert.deepEqual([valueText(null), valueText('x'), valueText(['a', 'b']), valueText({ a: 1 }), valueText('y'.repeat(200)).length], ['–', 'x', 'a, b', '{"a":1}', 120]);
});

test('a life goes on with each moment, and a band begins where something else is worn or somebody stands elsewhere', () => {
  const report = (seq: number, stack: string[], space: string, more: Partial<Report> = {}): Report => ({
    seq, stack, space, time: `2026-03-02T09:${seq}:00+01:00`, at: 0, because: '', being: 'ada', cause: '', clauses: [], closing: 'act', cognition: 'script', deed: 'do', told: [], place: space, wake: 'schedule', ...more,
  });
  const before = { wore: [{ time: '2026-03-02T09:00:00+01:00', by: 1, stack: ['a'] }], stood: [], marks: [], gaps: [], moments: 5, end: 20, isThinned: false };
  const after = lived(before, [report(20, ['a'], '/hall'), report(21, ['a', 'b'], '/hall', { said: 'Hm.', cost: { calls: 1, input: 9, output: 2, money: 3, connection: 'x', model: 'y', ms: 4 } }), report(22, ['a', 'b'], '/yard')]);
  assert.deepEqual(after.wore.map(({ by, stack }) => [by, stack.join('+')]), [[1, 'a'], [21, 'a+b']]);
  assert.deepEqual(after.stood.map(({ by, space }) => [by, space]), [[20, '/hall'], [22, '/yard']]);
  assert.deepEqual([after.moments, after.marks.map(({ seq }) => seq), after.marks[1]?.cost], [8, [20, 21, 22], { calls: 1, input: 9, output: 2, money: 3 }]);
  assert.deepEqual([before.wore.length, before.moments], [1, 5]);
});
