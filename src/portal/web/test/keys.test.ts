// Keys are those of the keyboard, whatever alphabet it writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../src/lib/keys.ts';

test('a key is known by its letter, and by its place where it writes another alphabet', () => {
  const key = (key: string, code: string, shiftKey = false): string => keyOf({ key, code, shiftKey });
  assert.deepEqual([key('k', 'KeyK'), key('л', 'KeyK'), key('Л', 'KeyK', true), key('п', 'KeyG'), key('ц', 'KeyW')], ['k', 'k', 'K', 'g', 'w']);
  assert.equal(key('w', 'KeyZ'), 'w', 'a Latin letter is the one that is written, wherever it lies');
  assert.deepEqual([key('&', 'Digit1'), key('١', 'Digit1'), key('1', 'Numpad1'), key('!', 'Digit1', true), key('/', 'Digit7', true)], ['1', '1', '1', '!', '/']);
  assert.deepEqual([key('?', 'Slash', true), key('ß', 'Minus'), key('.', 'Slash')], ['?', 'ß', '.']);
  assert.deepEqual(['Escape', 'ArrowLeft', 'Enter', ' '].map((each) => key(each, 'Whatever')), ['Escape', 'ArrowLeft', 'Enter', ' ']);
});
