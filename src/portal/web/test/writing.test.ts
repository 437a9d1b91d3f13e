// A reader of a thread is not pulled away, and a writer loses nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AtEnd } from '../src/lib/end.ts';
import { unsent } from '../src/lib/letter.ts';

test('a list that grows takes along only whoever is at its end', () => {
  const end = new AtEnd();
  const list = { scrollTop: 0, scrollHeight: 900, clientHeight: 300 };
  end.follow(list);
  assert.equal(list.scrollTop, 900, 'it begins at its end');
  list.scrollTop = 100;
  end.see(list);
  list.scrollHeight = 1000;
  end.follow(list);
  assert.equal(list.scrollTop, 100, 'who reads further up stays');
  list.scrollTop = 690;
  end.see(list);
  list.scrollHeight = 1200;
  end.follow(list);
  assert.equal(list.scrollTop, 1200);
});

test('of a field that was sent only what had been sent goes', () => {
  assert.equal(unsent('Hello', 'Hello'), '');
  assert.equal(unsent('Hello and more', 'Hello'), 'and more');
  assert.equal(unsent('Another letter', 'Hello'), 'Another letter');
  assert.equal(unsent('kept', ''), 'kept');
  assert.equal(unsent('okay then', 'ok'), 'okay then', 'a word that begins alike is another one');
  assert.equal(unsent('Hi\n  indented', 'Hi'), '  indented', 'how it was set out stays');
  assert.equal(unsent('', 'Hello'), '');
});
