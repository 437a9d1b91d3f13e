// A saying hangs where it was said, and a being that has ended is told of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './known.ts';
import { BUBBLE_MS, ENDED_MS, gone, hanging, isThere } from '../src/lib/said.ts';
import type { Report } from '../src/lib/wire.ts';

let seq = 0;
const report = (over: Partial<Report>): Report => ({
  seq: ++seq, at: 0, time: '', being: 'ada', place: '/hall', space: '/hall', stack: ['guest'], clauses: [0], wake: 'schedule', because: '', cause: '1.0', cognition: 'script', closing: 'act', deed: '', told: [], ...over,
});
const texts = (flock: Partial<Report>[], before = hanging([], [], 0), now = 0): string[] => hanging(before, flock.map(report), now).map(({ text }) => text);

test('a saying goes when its speaker has left the place, or has ended', () => {
  const said = hanging([], [report({ said: 'Hello' }), report({ being: 'bo', said: 'And you?', target: '@ada' })], 0);
  assert.deepEqual(said.map(({ text, to, space }) => [text, to, space]), [['Hello', '', '/hall'], ['And you?', 'Ada', '/hall']]);
  assert.deepEqual(texts([{ space: '/yard' }], said), ['And you?']);
  assert.deepEqual(texts([{ space: '/hall' }], said), ['Hello', 'And you?'], 'whoever stays goes on being heard');
  assert.deepEqual(texts([{ being: 'bo', closing: 'ended' }], said), ['Hello']);
  assert.deepEqual(texts([{ said: 'Bye' }, { space: '/yard' }], said), ['And you?'], 'also where it was said and left in one flock');
  assert.deepEqual(texts([{ said: 'Again', space: '/yard' }], said), ['And you?', 'Again']);
  assert.deepEqual(texts([], said, BUBBLE_MS), []);
  assert.deepEqual(texts([{ said: 'No', closing: 'refused' }]), []);
  assert.ok(said[0] && isThere(said[0], '/hall') && !isThere(said[0], '/yard'), 'who is carried off leaves it behind');
});

test('whoever has ended is told of for a while, at the place where that was', () => {
  const ended = gone([], [report({}), report({ being: 'cid', closing: 'ended' })], 5);
  assert.deepEqual(ended.map(({ being, space }) => [being, space]), [['cid', '/hall']]);
  assert.equal(gone(ended, [], ENDED_MS).length, 1);
  assert.equal(gone(ended, [], ENDED_MS + 5).length, 0);
});
