// What models cost: amounts and budgets in words, the configuration that forms write, and trials beside what happened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './known.ts';
import { budgetedProblem, connectionFrom, connectionsIn, costText, formOf, latency, limitFrom, limitOf, moneyText, newConnection, saidAt, sorted, spanText, spentText, usedOf, usedText, withLimit } from '../src/lib/cost.ts';
import { asked, fits } from '../src/lib/filters.ts';
import { heldIn, holderOf } from '../src/lib/grid.ts';
import { plainText } from '../src/lib/sentence.ts';
import { costOf, endingOf, happened, promptText, replyText, rolesOf } from '../src/lib/trial.ts';
import type { Budget, Cost, JsonMap, Report, Sum, Setting } from '../src/lib/wire.ts';
import { did } from './told.ts';
import { numberFrom } from '../src/lib/value.ts';

const sum = (over: Partial<Sum>): Sum => ({ moments: 1, calls: 1, input: 0, output: 0, money: 0, vain: { calls: 0, input: 0, output: 0, money: 0 }, ms: 0, unanswered: 0, ...over });
const cost: Cost = { connection: 'small', model: 'm', calls: 1, input: 1200, output: 34, money: 12_345, ms: 2345 };
const report = (over: Partial<Report>): Report => ({
  seq: 1, at: 0, time: '', being: 'ada', place: '/', space: '/', stack: ['guest'], clauses: [0], wake: 'schedule', because: '', cause: '1.0', cognition: 'script', closing: 'act', deed: '', told: [], ...over,
});

test('an amount is shown as exactly as it is small', () => {
  assert.equal(spentText(0, 'EUR'), '0.00 EUR');
  assert.equal(spentText(12_345, 'EUR'), '0.0123 EUR');
  assert.equal(spentText(3, 'EUR'), '0.000003 EUR');
  assert.equal(moneyText(1234.5, 'EUR'), '1,234.50 EUR');
  assert.equal(moneyText(5, null), '5.00');
  assert.deepEqual([840, 2345, 240_000].map(spanText), ['840 ms', '2.3 s', '4 min']);
  assert.equal(costText(cost, 'EUR'), '1,234 tokens (1,200 in, 34 out) · 0.0123 EUR · 2.3 s');
  assert.equal(costText({ ...cost, calls: 3, money: 0, connection: '' }, 'EUR'), '3 calls · 1,234 tokens (1,200 in, 34 out)');
  assert.match(costText({ ...cost, calls: 2, vain: { calls: 1, input: 600, output: 17, money: 6000 } }, 'EUR'), /^2 calls, 1 in vain · 1,234 tokens /);
});

test('the mean time counts only what was answered', () => {
  assert.equal(latency(sum({ moments: 3, unanswered: 1, ms: 500 })), 250);
  assert.equal(latency(sum({ moments: 1, unanswered: 1 })), null);
});

test('the dearest stands first, and of days the last', () => {
  assert.deepEqual(sorted({ a: sum({ input: 9 }), b: sum({ money: 2 }), c: sum({ output: 20 }) }).map(([name]) => name), ['b', 'c', 'a']);
  assert.deepEqual(sorted({ '2026-01-01': sum({ money: 9 }), '2026-01-02': sum({}) }, true).map(([name]) => name), ['2026-01-02', '2026-01-01']);
});

const budget = (over: Partial<Budget>): Budget => ({ account: '@ada', period: 'day', limit: { calls: 10 }, spent: { calls: 0, input: 0, output: 0, money: 0 }, key: 'llm.budget', at: '@ada', turns: '', ...over });

test('a budget says how much of it is used, money in the currency', () => {
  const used = usedOf(budget({ limit: { calls: 10, tokens: 1000, money: 0.5 }, spent: { calls: 8, input: 300, output: 100, money: 500_000 } }));
  assert.deepEqual(used.map(({ what, state }) => `${what} ${state}`), ['calls near', 'tokens room', 'money over']);
  assert.deepEqual(used.map((each) => usedText(each, 'EUR')), ['8 of 10 calls', '400 of 1,000 tokens', '0.50 EUR of 0.50 EUR']);
  assert.equal(usedOf(budget({ limit: { calls: 0 } }))[0]?.state, 'over', 'nothing of nothing is left');
});

test('setting one budget leaves its other periods as they are, and taking it back leaves no trace', () => {
  const periods: JsonMap = { day: { money: 5 } };
  const set = withLimit(periods, 'hour', { calls: 2 });
  assert.deepEqual(set, { day: { money: 5 }, hour: { calls: 2 } });
  assert.deepEqual(limitOf(set, 'hour'), { calls: 2 });
  assert.deepEqual(withLimit(set ?? undefined, 'hour', null), periods);
  assert.deepEqual(withLimit(undefined, 'day', { tokens: 9 }), { day: { tokens: 9 } });
  assert.equal(withLimit(periods, 'day', null), null);
  assert.deepEqual(periods, { day: { money: 5 } });
});

test('of all that is said on the way only what a place says itself is its own to change', () => {
  const setting = { key: 'llm.budget', said: [{ at: '/', value: 1, by: '@operator' }, { at: '/hall', value: 2, by: '@ada' }] } as unknown as Setting;
  assert.equal(saidAt([setting], 'llm.budget', '/hall'), 2);
  assert.equal(saidAt([setting], 'llm.budget', '/hall/nook'), undefined);
  assert.equal(saidAt([], 'llm.budget', '/hall'), undefined);
});

test('a limit is read from what is typed, or its fault is said', () => {
  assert.deepEqual(limitFrom({ calls: '1,000', tokens: '', money: '0.5' }), { limit: { calls: 1000, money: 0.5 } });
  assert.deepEqual(limitFrom({ calls: '1.5', tokens: '', money: '' }), { problem: 'calls: expected a whole number that is at least 0' });
  assert.deepEqual(limitFrom({ calls: '', tokens: '', money: '-1' }), { problem: 'money: expected a number that is at least 0' });
  assert.ok('problem' in limitFrom({ calls: '', tokens: ' ', money: '' }));
  assert.deepEqual(['1,000,000', '1,5', 'x', '0.15', ''].map(numberFrom), [1_000_000, null, null, 0.15, null]);
  assert.deepEqual(['@ada', '/hall', '/'].map(budgetedProblem), [null, null, null]);
  assert.ok(budgetedProblem('ada') && budgetedProblem('world') && budgetedProblem('@') && budgetedProblem(''));
});

test('a connection never takes a key, only where it lies', () => {
  const form = { ...newConnection(), name: 'small', base_url: 'http://127.0.0.1:8080/v1', model: 'm' };
  assert.deepEqual(connectionFrom(form), { key: 'llm.small', value: { base_url: 'http://127.0.0.1:8080/v1', model: 'm' } });
  const field = (over: Partial<typeof form>): unknown => { const read = connectionFrom({ ...form, ...over }); return 'field' in read ? read.field : read.value; };
  assert.equal(field({ key: 'sk-123456' }), 'key');
  assert.equal(field({ key: 'env:' }), 'key');
  assert.equal(field({ base_url: 'https://me:secret@models.example/v1' }), 'base_url');
  assert.equal(field({ base_url: 'models.example' }), 'base_url');
  assert.equal(field({ name: 'budget' }), 'name');
  assert.equal(field({ name: 'a b' }), 'name');
  assert.equal(field({ model: ' ' }), 'model');
  assert.equal(field({ timeout_ms: '0' }), 'timeout_ms');
  assert.equal(field({ sampling: '[1]' }), 'sampling');
  assert.equal(field({ failover: 'big, small' }), 'failover');
  const whole = { base_url: 'https://models.example/v1', model: 'm', key: 'env:MODEL_KEY', timeout_ms: 5000, parallel: 2, strict: true, tools: 'json_schema', dialect: 'anthropic', failover_on: [404, 'cut'], sampling: { seed: 7 }, failover: ['a', 'b'] };
  assert.deepEqual(connectionFrom(formOf('big', whole)), { key: 'llm.big', value: whole }, 'a form gives back what it was filled from');
  assert.deepEqual(connectionsIn({ 'llm.big': whole, 'llm.gone': null, 'llm.prices': { m: {} }, 'llm.budget': {}, 'llm.connection': 'big' }), [['big', whole]]);
});

test('moments are found by model, tokens and cost, and what is no number asks for nothing', () => {
  const dear = report({ cost });
  assert.ok(fits(dear, { model: 'm', tokens: '1234', cost: '0.0123' }));
  assert.ok(!fits(dear, { model: 'other' }));
  assert.ok(!fits(dear, { tokens: '1,235' }));
  assert.ok(!fits(dear, { cost: '0.02' }));
  assert.ok(!fits(report({}), { tokens: '0' }), 'no model was asked');
  assert.ok(fits(report({}), { tokens: 'many' }));
  assert.ok(fits(dear, { day: dear.time.slice(0, 10) }) && !fits(dear, { day: '1999-01-01' }) && !fits(dear, { reason: 'gate-role' }));
  assert.deepEqual(asked({ being: 'ada', tokens: '1,000', cost: 'x' }), { being: 'ada', tokens: 1000, cost: null });
});

test('what would come of a reply reads as what came of a moment', () => {
  const reply = { deed: 'do . say {"content":"hello"}', told: did('said', 'hello'), closing: 'act' as const, call: { verb: 'do' as const, target: '.', action: 'say', args: { content: 'hello' } }, facts: [], cost, reply: { body: '{"a":1}', ms: 3 } };
  const ending = endingOf(reply);
  assert.deepEqual([plainText(ending.parts), ending.closing], ['said “hello”', 'act']);
  const refused = endingOf({ ...reply, told: [{ text: 'could not go to ' }, { text: 'the hall', to: '/hall' }, { text: ': it is closed', isWhy: true }], closing: 'refused', reason: { code: 'gate-role', at: '' } });
  assert.deepEqual([plainText(refused.parts), refused.reason?.code], ['could not go to the hall', 'gate-role'], 'why not stands beside it');
  const real = happened({ report: report({ told: reply.told, cost }), facts: [{ fact: 'spent', calls: 1 }, { fact: 'said' }], thought: { request: null, reply: reply.reply } });
  assert.deepEqual([plainText(real.parts), real.facts], ['said “hello”', [{ fact: 'said' }]]);
  assert.deepEqual(costOf({ replies: [reply, { deed: '', told: [], closing: 'see', facts: [] }, reply] }), { calls: 2, input: 2400, output: 68, money: 24_690 });
  const beside = [{ fact: 'reserved' }, { fact: 'settled' }, { fact: 'keyed' }];
  const kept = [{ fact: 'spent-time' }, { fact: 'quality-set', spent: 1 }];
  assert.deepEqual(endingOf({ ...reply, facts: [...beside, ...kept] }).facts, kept, 'only what a frame says of its cost and its key is left out');
  assert.deepEqual(rolesOf([{ role: 'guest', clause: 0 }]), ['guest']);
  assert.equal(promptText([{ role: 'system', content: 'You are.' }, { role: 'user', content: { a: 1 } }]), 'system\nYou are.\n\nuser\n{\n  "a": 1\n}');
  assert.match(replyText(reply.reply), /"body": \{\n {4}"a": 1/);
  assert.match(replyText({ body: 'no json' }), /no json/);
});

test('what matter holds has an address, however deep it lies', () => {
  assert.deepEqual(heldIn({ address: '/square/box', holds: ['key'] }, '/square/box'), [{ name: 'key', address: '/square/box/key' }]);
  assert.deepEqual(heldIn({ holds: [{ name: 'hat', address: '@ada/hat' }] }, '@ada'), [{ name: 'hat', address: '@ada/hat' }]);
  assert.deepEqual(heldIn({}, '/'), []);
  assert.deepEqual(['@ada/hat', '/square/box', '/box', '@ada', '/'].map(holderOf), ['@ada', '/square', '/', null, '/']);
});
