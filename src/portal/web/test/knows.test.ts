// What the server knows the page asks: no list of the language stands in its source a second time.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codes as all } from './known.ts';
import { codeOf, known } from '../src/lib/known.ts';
import type { Word } from '../src/lib/wire.ts';

const source = join(process.cwd(), 'src');
const files = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));
// The types in wire.ts are the server's own description, and gone before the page runs.
const texts = files(source).filter((file) => !file.endsWith('wire.ts')).map((file): [string, string] => [file.slice(source.length + 1), readFileSync(file, 'utf8')]);
const quoted = (text: string, word: string): boolean => text.includes(`'${word}'`) || text.includes(`"${word}"`);

/** The few codes upon which the page does something of its own. */
const ANSWERED = ['asking', 'base-version', 'budget', 'driven', 'looked', 'no-price', 'not-yours', 'wrong-login'];
/** The files that say of each word of a list something of its own. */
const TELLS: Record<string, string[]> = { verbs: ['lib/story.ts'] };

test('no code of the server stands in the page but those upon which it does something of its own', () => {
  const codes = all.map(({ code }) => code).filter((code) => code.includes('-'));
  assert.ok(codes.length > 80 && ANSWERED.every((code) => codeOf(code)));
  // Also those of one word, which stand in the page as other words do: upon which of them it decides.
  const decides = texts.flatMap(([, text]) => [...text.matchAll(/\bcode\s*[!=]==?\s*['"]([\w-]+)['"]/g)].map(([, code = '']) => code));
  assert.deepEqual([...new Set(decides)].sort(), ANSWERED);
  for (const [file, text] of texts) {
    for (const code of codes.filter((code) => !ANSWERED.includes(code))) assert.ok(!quoted(text, code), `${file} knows ${code}`);
    assert.doesNotMatch(text, /(code|reason)\S*\.(startsWith|endsWith|includes)\(/, `${file} decides by the text of a code`);
  }
});

test('no list of the language stands in the page', () => {
  const lists = Object.entries(known()).filter((entry): entry is [string, Word[]] => Array.isArray(entry[1]));
  assert.ok(lists.length >= 10);
  for (const [name, list] of lists) {
    const words = list.map(({ word }) => word);
    assert.ok(words.length >= 3, name);
    for (const [file, text] of texts.filter(([file]) => !TELLS[name]?.includes(file))) {
      const found = words.filter((word) => quoted(text, word));
      assert.ok(found.length < words.length, `${file} knows all of ${found.join(', ')}`);
    }
  }
});

test('no sentence is put together in the page, and none of its files knows a deed by the name of its operation', () => {
  const names = ['signal.set', 'quality.set', 'matter.make', 'role.set', 'genesis', 'model.settle', 'thread.cut'];
  const tells = texts.filter(([file]) => /lib\/(story|inbox|causes|lanes|timeline|trial|questions|sentence|map\/caption)\.ts$/.test(file));
  assert.equal(tells.length, 9);
  for (const [file, text] of tells) for (const name of names) assert.ok(!quoted(text, name), `${file} knows ${name}`);
  for (const [file, text] of texts) assert.doesNotMatch(text, /\.deed\.(match|indexOf|split|slice)\(/, `${file} reads a deed out of its line`);
});
