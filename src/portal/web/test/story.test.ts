// The story: sentences without addresses, folds that lose nothing and hide nothing rare, and rows that stay as they were when more happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRare, people, storyOf, toneOf, type Row } from '../src/lib/story.ts';
import { plainText, sentenceOf, withoutWhy } from '../src/lib/sentence.ts';
import type { Report } from '../src/lib/wire.ts';
import './known.ts';
import { did } from './told.ts';

/** Numbers that fall anyhow, always the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const START = Date.parse('2026-03-02T06:00:00Z');
function report(seq: number, at: number, rest: Partial<Report> = {}): Report {
  return {
    seq, at: START + at, time: new Date(START + at).toISOString(), being: 'eli', because: '', cause: `${seq}.0`, clauses: [], closing: 'act', cognition: 'script', deed: '', place: '/factory/line', space: '/factory/line',
    stack: ['worker'], told: did('looked around'), wake: 'schedule', ...rest,
  };
}
test('a moment is told behind the name of whoever did it, with or without the reason why not', () => {
  const refused = report(1, 0, { told: [{ text: 'could not send ' }, { text: 'board 562', to: '/line/board-00562' }, { text: ' back' }, { text: ': it is gone', isWhy: true }], closing: 'refused' });
  assert.equal(plainText(sentenceOf(refused)), 'Eli could not send board 562 back: it is gone');
  assert.equal(plainText(withoutWhy(refused.told)), 'could not send board 562 back');
  assert.equal(plainText(sentenceOf(report(1, 0, { being: 'world', told: did('began') }))), 'The world began');
  assert.equal(plainText(sentenceOf(report(1, 0, { told: did('said', 'I could sweep.') }))), 'Eli said “I could sweep.”');
  assert.equal(people(6), 'six people');
});

/** A life of anything that can happen. */
function life(seed: number, length: number): Report[] {
  const roll = dice(seed);
  let at = 0;
  return Array.from({ length }, (_, index) => {
    at += roll(5) === 0 ? roll(900_000) : roll(20_000);
    const being = ['ada', 'bruno', 'chidi', 'dana', 'eli'][roll(5)] ?? 'eli';
    const stack = ['worker', ...(roll(2) ? ['emotions:urgent'] : []), ...(roll(3) === 0 ? ['emotions:bored'] : [])];
    const kind = roll(14);
    const rest: Partial<Report> = kind < 4 ? { verb: null, closing: 'see' }
      : kind < 8 ? { verb: 'do', action: `skateco:step-${roll(3)}`, told: did(`pressed board ${roll(3)}`) }
        : kind === 8 ? { verb: 'do', action: `skateco:rare-${roll(40)}`, told: did('came to work') }
          : kind === 9 ? { verb: 'do', action: 'say', told: did('said', 'Well.') }
            : kind === 10 ? { verb: 'do', action: 'skateco:step-0', closing: (['refused', 'failed', 'dead-letter'] as const)[roll(3)] ?? 'refused', reason: { code: 'gone', at: '' } }
              : kind === 11 ? { verb: 'do', action: 'skateco:step-1', told: did('pressed a deck'), cognition: 'human' }
                : kind === 12 ? { verb: 'do', action: 'signal.set', target: '/', told: did('set alarm to on'), turn: [{ text: 'The alarm is on' }] }
                  : { closing: 'requeued', reason: { code: ['asking', 'looked', 'outage'][roll(3)] ?? 'asking', at: '' } };
    return report(index + 1, at, { being, stack, ...rest });
  }).toReversed();
}
const counted = (rows: Row[]): number[] => rows.flatMap((row) => row.reports.map(({ seq }) => seq)).toSorted((a, b) => a - b);

test('no moment is lost in the story, and none is told twice', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const reports = life(seed, 120);
    const all = reports.map(({ seq }) => seq).toSorted((a, b) => a - b);
    assert.deepEqual(counted(storyOf(reports)), all, `seed ${seed}`);
    assert.deepEqual(counted(storyOf(reports, 'all')), all);
    const keys = storyOf(reports).map((row) => row.key);
    assert.equal(new Set(keys).size, keys.length);
  }
});

test('what is rare is in no fold', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    for (const row of storyOf(life(seed, 120))) {
      if (row.reports.length > 1 || row.kind === 'fold') assert.ok(!row.reports.some(isRare), `seed ${seed}, ${row.key}`);
      assert.ok(row.parts.length > 0, row.key);
    }
  }
});

test('what comes later changes no row but those it joins, and takes none away', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const reports = life(seed, 120);
    let before = storyOf(reports.slice(60));
    for (let more = 59; more >= 0; more -= 1) {
      const now = storyOf(reports.slice(more));
      const places = new Map(now.map((row, index) => [row.key, index]));
      const order = before.map((row) => places.get(row.key));
      assert.ok(order.every((place, index) => place !== undefined && (index === 0 || place > (order[index - 1] ?? -1))), `seed ${seed}`);
      const fresh = reports[more]?.seq;
      for (const row of before) {
        const after = now[places.get(row.key) ?? -1];
        const [was, is] = [row.reports.map(({ seq }) => seq), after?.reports.map(({ seq }) => seq).filter((seq) => seq !== fresh)];
        assert.deepEqual(is, was);
      }
      before = now;
    }
  }
});

test('looks and routine are one count, with the place where all of it happened', () => {
  const steps = Array.from({ length: 16 }, (_, index) => report(index + 1, index * 1000, { verb: 'do', action: `skateco:step-${index % 2}`, told: did('pressed a deck') }));
  const looks = Array.from({ length: 5 }, (_, index) => report(index + 17, 20_000 + index, { verb: null, closing: 'see' }));
  const [fold] = storyOf([...steps, ...looks].toReversed());
  assert.equal(plainText(fold?.parts ?? []), '12 steps on the line, 5 looks');
  const elsewhere = steps.map((step, index) => (index === 9 ? { ...step, space: '/yard' } : step));
  assert.equal(plainText(storyOf(elsewhere.toReversed())[0]?.parts ?? []), '12 steps');
});

test('a count that was begun a moment ago takes up what lies between other rows', () => {
  const says = (seq: number, at: number): Report => report(seq, at, { verb: 'do', action: 'say', told: did('said', 'Good morning.') });
  const looks = (seq: number, at: number): Report => report(seq, at, { verb: null, closing: 'see' });
  const rows = storyOf([looks(1, 0), says(2, 1000), looks(3, 2000), says(4, 3000), looks(5, 4000), says(6, 300_000), looks(7, 301_000)].toReversed());
  assert.deepEqual(rows.map((row) => row.reports.map(({ seq }) => seq)), [[7], [6], [4], [2], [1, 3, 5]]);
  assert.equal(rows.at(-1)?.at, START);
});

test('those who do the same within a minute and a half are one row', () => {
  const names = ['ada', 'bruno', 'chidi', 'dana', 'eli', 'fatma'];
  const came = names.map((being, index) => report(index * 2 + 1, index * 20_000, { being, verb: 'do', action: `skateco:clock-in`, told: did('came to work') }));
  const between = names.map((being, index) => report(index * 2 + 2, index * 20_000 + 1, { being, verb: null, closing: 'see' }));
  const rows = storyOf([...came, ...between].toSorted((a, b) => b.seq - a.seq));
  assert.ok(rows.some((row) => plainText(row.parts) === 'Ada and Bruno came to work'));
  assert.ok(!rows.some((row) => row.kind === 'group' && row.reports.some(isRare)));
});

test('a turn of the world has a row of its own, with what it led to', () => {
  const before = ['ada', 'bruno', 'chidi'].map((being, index) => report(index + 1, index, { being, verb: null, closing: 'see' }));
  const alarm = report(4, 1000, { being: 'mo', verb: 'do', action: 'signal.set', target: '/', told: did('set alarm to on'), turn: [{ text: 'The alarm is on' }] });
  const after = ['ada', 'bruno', 'chidi'].map((being, index) => report(index + 5, 2000 + index, { being, verb: null, closing: 'see', stack: ['worker', 'emotions:urgent'] }));
  const rows = storyOf([...before, alarm, ...after].toReversed());
  assert.ok(rows.some((row) => row.kind === 'turn' && plainText(row.parts) === 'The alarm is on, so three people are urgent'));
  // Where nobody said why, that they do is told alone.
  const alone = storyOf([...before, ...after].toReversed());
  assert.ok(alone.some((row) => row.kind === 'turn' && row.reports.length === 0 && plainText(row.parts) === 'Three people are urgent'));
});

test('what went wrong has its own sign', () => {
  const [refused, failed, look] = [{ closing: 'refused' as const, reason: { code: 'gone', at: '' } }, { closing: 'dead-letter' as const, reason: { code: 'gone', at: '' } }, { closing: 'see' as const, verb: null }].map((rest) => storyOf([report(1, 0, rest)])[0]);
  assert.deepEqual([refused, failed, look].map((row) => row && toneOf(row)), ['refused', 'failed', 'fold']);
});

test('what plants a world is one row, and what is done and said later is not in it', () => {
  const begun = life(3, 6).map((report, at) => ({ ...report, at: 1000, being: 'operator', cognition: 'human', closing: 'act' as const, verb: 'do' as const, action: 'space.make', wake: 'gesture', said: '', seq: at }));
  const later = { ...begun[0]!, at: 2000, seq: 90 };
  const said = { ...begun[0]!, seq: 91, said: 'Let there be light' };
  const rows = storyOf([said, later, ...begun.toReversed()].toSorted((a, b) => b.seq - a.seq), 'story', 1000);
  assert.equal(rows.filter((row) => row.key === 'planting').length, 1);
  assert.deepEqual(rows.map((row) => row.reports.length).toSorted((a, b) => a - b), [1, 1, 6]);
});

test('a deed that is done often and is still a small part of the hour is told', () => {
  const hour = Array.from({ length: 400 }, (_, at) => report(at + 1, at * 9_000, { verb: 'do', action: at % 40 === 0 ? 'x:clean' : 'x:press', told: did(at % 40 === 0 ? 'cleaned the press' : 'pressed a deck') }));
  const rows = storyOf(hour.toReversed());
  assert.equal(rows.filter((row) => row.kind === 'told' && plainText(row.parts).includes('cleaned the press')).length, 10);
  assert.ok(rows.some((row) => row.kind === 'fold' && row.reports.length > 20), 'what is routine folds');
});
