// Health: what a server tells of a place, as sentences, limits and threads; and whom the map marks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningOf, begunAt, brakeText, budgetText, cutText, firstOf, healthOf, instantIn, paidText, shareOf, summaryOf, threadsOf, trippedIn, trippedText, waitedText } from '../src/lib/health.ts';
import type { Causes, Link } from '../src/lib/wire.ts';
import './known.ts';

const thread = { root: '12.0', began: '@ada', open: 2, moments: 340, calls: 17, tokens: 9120, money: 0.0312 };
const place = {
  undressed: ['@ned'],
  tripped: { '@ada': { brake: 'brakes.refusals', count: 100, most: 100, until: '2026-03-02T07:00:00+01:00' } },
  held: { '@bo': { connection: 'local', code: 'outage', why: '503' } },
  outOfBudget: { '@cy': { budget: 'hour calls of @cy', until: '2026-03-03T00:00:00+01:00' } },
  resting: { '@cy': { 'quality.inc': '2026-03-02T07:00:00+01:00' } },
  withheld: { '@di': 3 }, unheard: { '@ed': 1 },
  nearest: { 'limits.inbox': { '@ed': { count: 4, most: 1000 } }, 'brakes.refusals': { '@ned': { count: 1, most: 100 }, '@ada': { count: 100, most: 100 } }, 'brakes.rate': {} },
  failures: { 'gate-role': 2, 'reply-malformed': 3 },
  waits: [{ being: '@bo', wake: 'summons', since: '2026-03-02T06:10:00+01:00' }],
  connections: { local: { beings: 1, code: 'outage' } },
  threads: [thread],
};

test('each who is held back is told with why, and until when', () => {
  const { held } = healthOf(place);
  assert.deepEqual(held.map(({ being, kind }) => `${being} ${kind}`), ['@ada brake', '@bo connection', '@cy budget', '@cy watch', '@ned nothing to wear', '@di chain', '@ed words']);
  assert.deepEqual(held.slice(0, 3).map(({ until }) => until), ['2026-03-02T07:00:00+01:00', undefined, '2026-03-03T00:00:00+01:00']);
  assert.equal(held[0]?.why, 'was refused 100 times in this hour; the limit is 100');
  assert.equal(held[1]?.why, 'waits for the connection local, which answers nobody: 503');
  assert.match(healthOf({ held: { '@bo': { connection: 'local', code: 'outage', why: '' } } }).held[0]?.why ?? '', /^waits for the connection local, which answers nobody: \w+ /);
  assert.equal(held[3]?.why, 'its watch for quality.inc failed five times in a row');
  assert.equal(held[5]?.why, '3 wakes of others were not made, since the chain of causes is too long');
  assert.equal(held[6]?.why, '1 word woke no model, since its thread has used up the calls');
});

test('a brake and a budget are sentences, also those that the page does not know', () => {
  assert.equal(brakeText('brakes.rate', { count: 100_000, most: 100_000 }), 'woke 100,000 times in this minute; the limit is 100,000');
  assert.equal(brakeText('brakes.failures', { count: 1, most: 1 }), 'failed 1 time in this hour; the limit is 1');
  assert.equal(brakeText('brakes.words', { count: 2, most: 1 }), 'brakes.words 2 times in this window; the limit is 1');
  assert.equal(budgetText('hour calls of @ada'), 'the hour’s calls of @ada are used up');
  assert.equal(budgetText('something else'), 'the budget has no room: something else');
});

test('limits stand in one order, the nearest first, and empty ones are left out', () => {
  const { limits } = healthOf(place);
  assert.deepEqual(limits.map(({ key, near }) => `${key}: ${near.map(({ being }) => being).join(' ')}`), ['brakes.refusals: @ada @ned', 'limits.inbox: @ed']);
  assert.equal(limits[0]?.title, 'Refusals in this hour');
  assert.deepEqual([{ count: 5, most: 10 }, { count: 12, most: 10 }, { count: 0, most: 0 }].map(shareOf), [0.5, 1, 1]);
});

test('what went wrong most often stands first', () => {
  assert.deepEqual(healthOf(place).failures, [['reply-malformed', 3], ['gate-role', 2]]);
});

test('a place where nothing is held back says so, and a server that tells less is no error', () => {
  for (const value of [{}, null, 'x', { tripped: [], threads: {}, nearest: 3, waits: [1] }]) {
    const health = healthOf(value);
    assert.equal(summaryOf(health), 'Nothing is held back.');
    assert.deepEqual(health, { held: [], connections: [], limits: [], failures: [], waits: [], threads: [] });
  }
  assert.equal(summaryOf(healthOf(place)), '6 beings are held back, and 1 connection answers nobody.');
  assert.equal(summaryOf(healthOf({ undressed: ['@ned'] })), '1 being is held back.');
  assert.equal(summaryOf(healthOf({ connections: { a: { beings: 1, code: 'outage' }, b: { beings: 1, code: 'outage' } } })), '2 connections answer nobody.');
});

test('a thread says what it has cost, with which moment it began, and what a cut makes of it', () => {
  const { threads, more } = threadsOf({ list: [thread, { ...thread, root: '12.1', began: null }], more: 5 });
  assert.equal(more, 5);
  assert.deepEqual(threads.map(({ began }) => began), ['@ada', null]);
  assert.deepEqual(begunAt(threads, 12).map(({ root }) => root), ['12.0', '12.1']);
  assert.deepEqual(begunAt(threads, 1), []);
  assert.equal(firstOf({ ...thread, root: '1204.3' }), 1204);
  assert.equal(paidText(thread, 'EUR'), '340 moments, 17 calls, 9,120 tokens, 0.0312 EUR');
  assert.equal(paidText({ ...thread, calls: 0, tokens: 0, money: 0 }, 'EUR'), '340 moments, 0 calls');
  assert.equal(cutText(thread), '2 open wakes become dead letters.');
  assert.equal(cutText({ ...thread, open: 1 }), '1 open wake becomes a dead letter.');
  assert.deepEqual(threadsOf([thread]), { threads: [thread], more: 0 });
});

/** A chain of which every moment woke the next, told ten at a time. */
const chainAt = (seq: number): Causes => {
  const link = (of: number): Link => ({ seq: of, moment: `@ada/${of}`, because: '', closing: 'act', deed: '', told: [], depth: seq - of, time: '' });
  const causes = Array.from({ length: Math.min(10, seq - 1) }, (_, at) => link(seq - 1 - at));
  return { moment: link(seq), causes, effects: [], moreCauses: seq - 1 > 10, moreEffects: false };
};

test('a chain is read back to its beginning, no further than matters, and not without end', async () => {
  let asked = 0;
  const further = (seq: number): Promise<Causes> => { asked += 1; return Promise.resolve(chainAt(seq)); };
  assert.deepEqual(await beginningOf(chainAt(1), 0, further), { first: 1, second: null });
  assert.deepEqual(await beginningOf(chainAt(2), 0, further), { first: 1, second: 2 });
  assert.equal(asked, 0);
  assert.deepEqual(await beginningOf(chainAt(46), 0, further), { first: 1, second: 2 });
  assert.equal(asked, 4);
  assert.deepEqual(await beginningOf(chainAt(46), 30, further), { first: 26, second: 27 });
  assert.equal(asked, 5);
  assert.equal(await beginningOf(chainAt(1000), 0, further), null);
});

test('an instant of this day is its clock, and a wait is told shortly', () => {
  const now = '2026-03-02T06:30:00+01:00';
  assert.equal(instantIn('2026-03-02T07:00:00+01:00', now), '07:00:00');
  assert.equal(instantIn('2026-03-03T00:00:00+01:00', now), '2026-03-03 00:00:00');
  assert.deepEqual(['2026-03-02T06:29:20+01:00', '2026-03-02T06:10:00+01:00', '2026-03-02T01:30:00+01:00', '2026-02-27T06:30:00+01:00', '2026-03-02T07:00:00+01:00', now, ''].map((since) => waitedText(since, now)), ['40 s', '20 min', '5 h', '3 days', '', '', '']);
});

test('the map counts whom a brake holds in a place, and says where not all are known', () => {
  const tripped = trippedIn(place);
  assert.equal(trippedText(tripped, [{ name: 'ada' }, { name: 'bo' }]), '1');
  assert.equal(trippedText(tripped, [{ name: 'bo' }]), '');
  const many = trippedIn({ tripped: Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`@b${at}`, {}])) });
  assert.equal(trippedText(many, [{ name: 'b1' }, { name: 'b2' }]), '2+');
  assert.equal(trippedText(trippedIn(null), [{ name: 'ada' }]), '');
});
