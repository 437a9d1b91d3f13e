import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copySays } from '../src/lib/copy.ts';

const servers = (...answers: boolean[]) => answers.map((each, at) => ({ address: `http://n${at}:8222`, answers: each }));
const level = { isOwner: true, epoch: 2, behind: 0, servers: servers(true, true, true) };

test('a copy that is level says nothing', () => {
  assert.equal(copySays(undefined), null);
  assert.equal(copySays(level), null);
});

test('what is wrong with a copy is said, the worst first', () => {
  const rows: [Parameters<typeof copySays>[0], boolean, string][] = [
    [{ ...level, behind: 3 }, false, 'The copy of the log is 3 groups behind.'],
    [{ ...level, behind: 1, servers: servers(true, false, true) }, false, 'The copy of the log is 1 group behind. Of the copy of the log 2 of 3 servers answer.'],
    [{ ...level, waits: 'timed out', servers: servers(true, false, false) }, true, 'Acts wait for the copy of the log: 1 of 3 servers answer. Nothing is lost.'],
    [{ ...level, isOwner: false, owner: 'b:/srv/town' }, true, 'b:/srv/town owns this world now. Nothing more is kept here.'],
  ];
  for (const [copy, isBad, text] of rows) assert.deepEqual(copySays(copy), { isBad, text });
});
