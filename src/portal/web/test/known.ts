// What the server tells the page before anything is drawn, as one of its own tests has written it down.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { learn, type CodeWord, type Words } from '../src/lib/known.ts';

const load = <T>(name: string): T => JSON.parse(readFileSync(join(process.cwd(), '../../../fixtures/page', name), 'utf8')) as T;
learn(load<Words>('words.json'), load<CodeWord[]>('codes.json'));
