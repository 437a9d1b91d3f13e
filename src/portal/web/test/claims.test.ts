// Claims: a thing and a being tell them in a sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atText, claimOf, claimText } from '../src/lib/claims.ts';
import { healthOf } from '../src/lib/health.ts';

const NOW = '2026-03-02T10:00:00+01:00';
const claim = { on: '/hall/press', by: '@ada', since: '2026-03-02T10:00:00+01:00', until: '2026-03-02T10:20:00+01:00', why: 'repairing it' };

test('a thing says who has it, until when and for what', () => {
  assert.equal(claimText(claim, '/hall/press', NOW), 'Ada has it until 10:20: repairing it');
  assert.equal(claimText({ ...claim, why: '' }, '/hall/press/tray', NOW), 'Ada has /hall/press until 10:20');
  assert.equal(claimText({ ...claim, until: '2026-03-03T00:05:09+01:00' }, '/hall/press', NOW), 'Ada has it until 2026-03-03 00:05:09: repairing it');
  assert.equal(atText([claim, { ...claim, on: '/lab' }], NOW), 'at /hall/press until 10:20, at /lab until 10:20');
});

test('what a look at a thing tells is read, in the zone of the world', () => {
  const told = { on: '/hall/press', by: '@ada', since: 1772442000000, until: 1772443200000, why: 'repairing it' };
  assert.equal(claimText(claimOf(told, NOW) ?? claim, '/hall/press', NOW), 'Ada has it until 10:20: repairing it');
  assert.equal(claimOf(undefined, NOW), null);
  assert.equal(claimOf('claimed', NOW), null);
});

test('a holder who does nothing is held back', () => {
  const held = healthOf({ claims: [{ on: '/hall/press', by: '@ada', until: claim.until, holder: 'paused' }, { on: '/lab', by: '@bob', until: claim.until, holder: 'tripped' }] }).held;
  assert.deepEqual(held.map(({ being, kind, until }) => [being, kind, until]), [['@ada', 'claim', claim.until], ['@bob', 'claim', claim.until]]);
  assert.match(held[0]?.why ?? '', /^has claimed \/hall\/press and does nothing now: /);
});
