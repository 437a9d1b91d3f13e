// An answer is known as one, whichever way it comes; what was heard in vain is over, and what waits for somebody else is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asks, factOf, isAnsweredIn, upshotOf } from '../src/lib/questions.ts';
import type { InboxEntry, Report } from '../src/lib/wire.ts';

const told = (seq: number, being: string, more: Partial<Report> = {}): Report => ({ seq, being, closing: 'act', wake: 'summons', cause: `${seq}.0`, deed: '', ...more }) as Report;
const summon = (seq: number, being: string, target: string, more: Partial<Report> = {}): Report => told(seq, being, { verb: 'summon', target: `@${target}`, args: { content: 'Well?' }, ...more });
const question = summon(12, 'pip', 'ada', { wake: 'gesture' });
const waiting = (more: Partial<InboxEntry>): InboxEntry => ({ kind: 'summons', from: '@ada', cause: '14.0', ...more }) as InboxEntry;

test('a question is what a person asks somebody else and wants an answer to', () => {
  assert.equal(factOf(question), '12.0');
  assert.ok(asks(question, 'pip'));
  assert.ok(!asks(question, 'ada'));
  assert.ok(!asks(summon(12, 'pip', 'pip'), 'pip'));
  assert.ok(!asks(summon(12, 'pip', 'ada', { closing: 'refused' }), 'pip'));
  assert.ok(!asks(summon(12, 'pip', 'ada', { args: { answer: 'none', content: 'So be it.' } }), 'pip'));
  assert.ok(asks(summon(12, 'pip', 'ada', { args: { content: '"answer":"none"' } }), 'pip'));
});

test('nothing came of it yet while it only failed, was put back or is somebody else’s', () => {
  assert.equal(upshotOf(question, [question]), null);
  assert.equal(upshotOf(question, [question, told(13, 'ada', { cause: '12.0', closing: 'requeued' }), told(14, 'ada', { cause: '12.0', closing: 'failed' })]), null);
  assert.equal(upshotOf(question, [summon(11, 'ada', 'pip'), question, summon(13, 'bob', 'pip'), summon(14, 'ada', 'bob', { cause: '3.0' })]), null);
  // A being that watches the asker is woken by the same fact, and has not heard it by that.
  assert.equal(upshotOf(question, [question, told(13, 'ada', { cause: '12.0', closing: 'see', wake: 'watch' })]), null);
});

test('it is over once it was heard, but not where somebody else was asked first', () => {
  assert.equal(upshotOf(question, [question, told(13, 'ada', { cause: '12.0', closing: 'see' })]), 'heard');
  assert.equal(upshotOf(question, [question, told(13, 'ada', { cause: '12.0', verb: 'do', target: '/hall/door' })]), 'heard');
  assert.equal(upshotOf(question, [question, told(13, 'ada', { cause: '12.0', wake: 'reply-due', closing: 'see' })]), 'heard');
  assert.equal(upshotOf(question, [question, summon(13, 'ada', 'bob', { cause: '12.0' })]), 'asked');
});

test('an answer names the question, or comes later by another cause', () => {
  const first = summon(13, 'ada', 'bob', { cause: '12.0' });
  assert.equal(upshotOf(question, [question, summon(13, 'ada', 'pip', { cause: '12.0', inReplyTo: '12.0' })]), 'answered');
  assert.equal(upshotOf(question, [question, first, summon(14, 'bob', 'ada', { cause: '13.0', inReplyTo: '13.0' }), summon(15, 'ada', 'pip', { cause: '14.0' })]), 'answered');
  assert.equal(upshotOf(question, [question, first, summon(15, 'ada', 'pip', { cause: '14.0', closing: 'refused' })]), 'asked');
});

test('an answer to an earlier question leaves a later one open', () => {
  const later = summon(13, 'pip', 'ada', { wake: 'gesture' });
  const all = [question, later, summon(14, 'ada', 'pip', { cause: '12.0', inReplyTo: '12.0' })];
  assert.equal(upshotOf(question, all), 'answered');
  assert.equal(upshotOf(later, all), null);
});

test('an answer in the inbox names the question, or comes of its own accord from whoever was asked', () => {
  assert.ok(isAnsweredIn(question, [waiting({ from: '@bob', inReplyTo: '12.0' })]));
  assert.ok(isAnsweredIn(question, [waiting({})]));
  assert.ok(!isAnsweredIn(question, [waiting({ cause: '9.0' }), waiting({ from: '@bob' }), waiting({ inReplyTo: '11.0' }), waiting({ kind: 'hear' })]));
});
