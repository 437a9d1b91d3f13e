// A deed of the operator is no difference that came of itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actsSince, ownApart } from '../src/lib/own.ts';
import type { DiffLine, Report } from '../src/lib/wire.ts';

const line = (kind: string, of: string, what = ''): DiffLine => ({ kind, of, what, was: 1, is: 2 });
const act = (seq: number, action: string, target: string, deed = '', closing = 'act'): Report => ({ seq, action, target, deed, closing, being: 'operator' }) as Report;

test('a key that the operator set, a flow and what is worn by it are left to the operator, and a place that one walked to is not', () => {
  const lines = [line('setting', 'brakes.depth'), line('setting', 'brakes'), line('being', '@mira', 'flow'), line('being', '@mira', 'wearing'), line('being', '@mira', 'position'), line('being', '@operator', 'position'), line('being', '@pip', 'wearing'), line('matter', '/hall/door', 'qualities.open')];
  const acts = [act(51, 'config.set', '/', 'do / config.set {"key":"brakes.depth","value":3}'), act(52, 'flow.set', '@mira'), act(53, 'open', '/hall/door')];
  const { free, own } = ownApart(lines, acts, '@operator');
  assert.deepEqual(own.map(({ of, what }) => `${of} ${what}`.trim()), ['brakes.depth', '@mira flow', '@mira wearing', '@operator position', '/hall/door qualities.open']);
  assert.deepEqual(free.map(({ of, what }) => `${of} ${what}`.trim()), ['brakes', '@mira position', '@pip wearing']);
});

test('of an operator only what was done since counts, the oldest first', () => {
  assert.deepEqual(actsSince([act(60, 'a', '/'), act(55, 'b', '/', '', 'refused'), act(51, 'c', '/'), act(50, 'd', '/')], 51).map(({ seq }) => seq), [51, 60]);
});
