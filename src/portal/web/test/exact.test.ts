// Numbers that a browser would round: they are read, shown, compared and sent with all of their digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './known.ts';
import { isNumber, nearest, numberOf, readJson, written } from '../src/lib/exact.ts';
import { argsOf, fieldsOf } from '../src/lib/schema.ts';
import { fromText, listFromText, listToText, plain, same, toText } from '../src/lib/value.ts';
import type { Json } from '../src/lib/wire.ts';

const BIG = '9007199254740993';

test('a text of JSON is written again as it was read', () => {
  for (const text of [BIG, `-${BIG}`, '18446744073709551615', '123456789012345678901234567890', `{"a":[${BIG},1,-2.5,{"b":null}],"c":"${BIG}","d":true}`, `["\\"${BIG}","\\\\",${BIG}]`, `{"__proto__":${BIG}}`, `[[],{},${BIG}]`, `"\\u0000${BIG}"`]) {
    assert.equal(written(readJson(text)), text);
  }
  assert.deepEqual(readJson(` { "a" : [ ${BIG} , 0.30000000000000004 , 1e21 ] } `), { a: [9007199254740993n, 0.30000000000000004, 1e21] });
  assert.deepEqual(readJson('[9007199254740991, 1234567890123456]'), [9007199254740991, 1234567890123456], 'what a browser keeps stays a number');
  for (const wrong of [`[${BIG}`, `${BIG}x`, `{"a" ${BIG}}`, '']) assert.throws(() => readJson(wrong), SyntaxError, wrong);
  assert.equal(written({ a: [BigInt(BIG)] }, 2), `{\n  "a": [\n    ${BIG}\n  ]\n}`);
});

test('a value of many digits survives its field', () => {
  const value = readJson(BIG) as Json;
  assert.equal(toText(value), BIG);
  assert.equal(plain(value), BIG);
  assert.ok(same(fromText(toText(value)), value));
  assert.ok(!same(value, readJson('9007199254740992') as Json));
  assert.ok(!same(value, BIG), 'a text of digits is a text');
  assert.equal(toText(BIG), `"${BIG}"`);
  assert.equal(listToText(listFromText(`a, ${BIG}`)), `a, ${BIG}`);
  const fields = fieldsOf({ properties: { by: { type: 'integer' }, at: { type: 'number' } } });
  assert.equal(written(argsOf(fields, { by: BIG, at: '2.5' })), `{"by":${BIG},"at":2.5}`);
});

test('a number that is drawn is the nearest', () => {
  assert.deepEqual([nearest(BigInt(BIG)), nearest(3), nearest('3'), nearest(null)], [9007199254740992, 3, null, null]);
  assert.deepEqual([isNumber(BigInt(BIG)), isNumber('1')], [true, false]);
  assert.deepEqual(['', 'x', '7', '-0.5', '1e400'].map(numberOf), [null, null, 7, -0.5, null]);
});
