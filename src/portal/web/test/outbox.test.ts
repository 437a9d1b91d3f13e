// Requests that wait: what of them is read, and how what would leave is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavingOf, petitionOf, petitionsOf } from '../src/lib/outbox.ts';

const told = { bridge: '@web', wake: '12.0', request: 'f'.repeat(64), bytes: '{"method":"GET","url":"http://a/"}', asker: '@pat', root: '9.0', cost: { bytes: 5, calls: 1, money: 0.5 }, by: '@ada', until: 7 };

test('a request that waits is read whole, and what is none is no request', () => {
  assert.deepEqual(petitionOf(told), { bridge: '@web', wake: '12.0', request: 'f'.repeat(64), bytes: told.bytes, asker: '@pat', root: '9.0', most: 5, money: 0.5, by: '@ada', until: 7 });
  for (const none of [undefined, null, 'text', [], {}, { wake: '1.0' }, { request: 'f' }]) assert.equal(petitionOf(none), null);
  assert.deepEqual(petitionsOf({ list: [told, {}, 3], more: 2 }).petitions.length, 1);
  assert.equal(petitionsOf({ list: [told], more: 2 }).more, 2);
  assert.deepEqual(petitionsOf(null), { petitions: [], more: 0 });
});

test('what would leave is told apart, and a body of JSON is written in lines', () => {
  for (const [bytes, shown] of [
    ['{"method":"GET","url":"http://a/"}', { method: 'GET', url: 'http://a/', type: '', body: '' }],
    ['{"method":"POST","url":"http://a/","type":"application/json","body":"{\\"tea\\":2}"}', { method: 'POST', url: 'http://a/', type: 'application/json', body: '{\n  "tea": 2\n}' }],
    ['{"method":"POST","url":"http://a/","type":"text/plain","body":"two teas"}', { method: 'POST', url: 'http://a/', type: 'text/plain', body: 'two teas' }],
    ['{"method":"POST","url":"http://a/","type":"application/json","body":"{\\"n\\":9007199254740993}"}', { method: 'POST', url: 'http://a/', type: 'application/json', body: '{"n":9007199254740993}' }],
    ['{"method":"POST","url":"http://a/","type":"application/json","body":"{\\"n\\":1,\\"n\\":2}"}', { method: 'POST', url: 'http://a/', type: 'application/json', body: '{"n":1,"n":2}' }],
    ['no JSON', null],
    ['{}', null],
    ['[1]', null],
  ] as const) assert.deepEqual(leavingOf(bytes), shown);
});
