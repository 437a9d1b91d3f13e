// What the server knows the page asks: no list of the language stands in its source a second time.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codes as all } from './known.ts';
import { codeOf, known } from '../src/lib/known.ts';
import { CLOSINGS, VERBS } from '../src/lib/moment.ts';
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
const TELLS: Record<string, string[]> = { closings: ['lib/moment.ts'], verbs: ['lib/moment.ts'] };

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

/** A list of words, as a pattern. */
const WORDS = [...known().closings, ...known().verbs, ...known().wakes].map(({ word }) => word).concat('asking', 'looked');
const WORD = `(['"\`])(?:${WORDS.join('|')})\\1`;
/** A comparison, a case, or a question whether a list holds something, with such a word. */
const DECIDES = new RegExp([`[!=]==?\\s*${WORD}`, `${WORD}\\s*[!=]==?`, `case\\s+${WORD}`, `(?:includes|indexOf|has|startsWith|endsWith)\\(\\s*${WORD}`, `\\[[^\\][]*${WORD}[^\\][]*\\]\\)?\\s*\\.(?:includes|indexOf|some|has)\\(`]
  .map((pattern, at) => pattern.replaceAll('\\1', `\\${at + 1}`)).join('|'), 'g');
/** A list of such words that has a name, by which a file may ask later. */
const LISTS = /=\s*(?:new Set\()?\[\s*['"][\w-]+['"](?:,\s*['"][\w-]+['"])+,?\s*\]/g;
const isOfMoments = ([list]: RegExpMatchArray): boolean => WORDS.filter((word) => quoted(list ?? '', word)).length > 1;
const decisionsIn = ([file, text]: [string, string]): string[] =>
  [...text.matchAll(DECIDES), ...[...text.matchAll(LISTS)].filter(isOfMoments)].map((found) => `${file}:${text.slice(0, found.index).split('\n').length}: ${found[0]}`);

test('a comparison with a word of a moment stands in lib/moment.ts alone', () => {
  assert.ok(WORDS.length > 20 && texts.length > 100);
  const seen = ["a.closing === 'act'", "'act' !== closing", 'verb == "summon"', "case 'requeued':", "only.includes('do')", "!['act', 'see'].includes(closing)", "new Set(['summons']).has(wake)", 'wake === `gesture`', "closing ===\n  'see'", "const HEARS = ['summons', 'reply-due'];"];
  assert.deepEqual(seen.filter((text) => decisionsIn(['', text]).length !== 1), []);
  assert.deepEqual(["kind: 'act'", "closing === asked", "tone('refused')", "it === 'actor'", "const ORDER = ['role', 'signal'];"].flatMap((text) => decisionsIn(['', text])), []);
  assert.ok(decisionsIn(['', readFileSync(join(source, 'lib/moment.ts'), 'utf8')]).length > 8);
  assert.deepEqual(texts.filter(([file]) => file !== 'lib/moment.ts').flatMap(decisionsIn), []);
});

test('each closing and each verb of the server has its row, and no other has one', () => {
  const words = (list: Word[]): string[] => list.map(({ word }) => word).toSorted();
  assert.deepEqual(Object.keys(CLOSINGS).toSorted(), words(known().closings));
  assert.deepEqual(Object.keys(VERBS).toSorted(), words(known().verbs));
});

test('no sentence is put together in the page, and none of its files knows a deed by the name of its operation', () => {
  const names = ['signal.set', 'quality.set', 'matter.make', 'role.set', 'genesis', 'model.settle', 'thread.cut'];
  const tells = texts.filter(([file]) => /lib\/(story|inbox|causes|lanes|timeline|trial|questions|sentence|map\/caption)\.ts$/.test(file));
  assert.equal(tells.length, 9);
  for (const [file, text] of tells) for (const name of names) assert.ok(!quoted(text, name), `${file} knows ${name}`);
  for (const [file, text] of texts) assert.doesNotMatch(text, /\.deed\.(match|indexOf|split|slice)\(/, `${file} reads a deed out of its line`);
});
