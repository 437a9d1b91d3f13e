import assert from 'node:assert/strict';
import { test } from 'node:test';

import { grouped } from '../src/lib/setting-groups.ts';

const of = (...keys: string[]): [string, string[]][] =>
  grouped(keys.map((key) => ({ key }))).map(({ title, settings }) => [title, settings.map(({ key }) => key)]);

test('settings stand by what they are for, the plain ones first, each once', () => {
  assert.deepEqual(of('seed', 'brakes.depth', 'llm.budget.root', 'llm.connection', 'about', 'factory:pace', 'tokens.me', 'llm.budget', 'attempts.max', 'strange'), [
    ['The world', ['about']],
    ['What models may cost', ['llm.budget.root', 'llm.budget']],
    ['How models think', ['llm.connection']],
    ['What a model is told', ['tokens.me']],
    ['Brakes', ['brakes.depth', 'attempts.max']],
    ['Extensions', ['factory:pace']],
    ['Fixed since the world began', ['seed']],
    ['Others', ['strange']],
  ]);
});

test('the source that a world was planted from is not shown', () => {
  assert.deepEqual(of('source'), []);
});
