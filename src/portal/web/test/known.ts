// What the server tells the page before anything is drawn: the words as one of its own tests has written them down, the codes as its docs list them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { learn } from '../src/lib/known.ts';
import type { CodeWord, Words } from '../src/lib/wire.ts';

const read = (path: string): string => readFileSync(join(process.cwd(), '../../..', path), 'utf8');

/** Every code with its sentence. */
export const codes: CodeWord[] = [...read('docs/CODES.md').matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, code = '', sentence = '']) => ({ code, kind: '', sentence, todo: '' }));

learn(JSON.parse(read('fixtures/page/words.json')) as Words, codes);
