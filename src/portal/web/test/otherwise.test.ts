import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isEmpty, lineOf } from '../src/lib/otherwise.ts';

test('what one chooses is a line as the server takes it', () => {
  assert.equal(lineOf({ kind: 'signal', of: ' square.festival ', to: 'false' }), 'signal:square.festival=false');
  assert.equal(lineOf({ kind: 'signal', of: 'weather.sky', to: 'grey' }), 'signal:weather.sky="grey"');
  assert.equal(lineOf({ kind: 'setting', of: 'brakes.depth', to: '3' }), 'setting:brakes.depth=3');
  assert.equal(lineOf({ kind: 'role', of: '@mira', to: 'gardener' }), 'flow:@mira=[{"role":"gardener"}]');
  assert.equal(lineOf({ kind: 'role', of: 'mira', to: 'gardener' }), 'flow:@mira=[{"role":"gardener"}]');
});

test('a row that nobody wrote in counts for nothing', () => {
  assert.deepEqual([isEmpty({ kind: 'role', of: ' ', to: '' }), isEmpty({ kind: 'role', of: '@mira', to: '' })], [true, false]);
});
