// What the server knows the page asks: no list of the language stands in its source a second time.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codes as all } from './known.ts';
import { codeOf, known } from '../src/lib/known.ts';

const source = join(process.cwd(), 'src');
const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
const texts = files(source).map((file): [string, string] => [file.slice(source.length + 1), readFileSync(file, 'utf8')]);
const quoted = (text: string, word: string): boolean => text.includes(`'${word}'`) || text.includes(`"${word}"`);

/** The few codes upon which the page does something of its own. */
const ANSWERED = ['base-version', 'not-yours', 'wrong-login', 'no-price'];

test('no code of the server stands in the page but those upon which it does something of its own', () => {
  const codes = all.map(({ code }) => code).filter((code) => code.includes('-'));
  assert.ok(codes.length > 80 && ANSWERED.every((code) => codeOf(code)));
  for (const [file, text] of texts) {
    for (const code of codes.filter((code) => !ANSWERED.includes(code))) assert.ok(!quoted(text, code), `${file} knows ${code}`);
    assert.doesNotMatch(text, /(code|reason)\S*\.(startsWith|endsWith|includes)\(/, `${file} decides by the text of a code`);
  }
});

test('no list of the language stands in the page', () => {
  const { operators, relations, triggers, bindings, closings, wakes, outcomes } = known();
  for (const list of [operators, relations, triggers, bindings, closings, wakes, outcomes]) {
    const words = list.map(({ word }) => word);
    assert.ok(words.length > 3);
    for (const [file, text] of texts) {
      const found = words.filter((word) => quoted(text, word));
      assert.ok(found.length < words.length, `${file} knows all of ${found.join(', ')}`);
    }
  }
});
