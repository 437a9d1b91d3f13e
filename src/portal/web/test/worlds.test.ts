// Where a world stands: its page is found below any address that leads to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseOf, rootOf } from '../src/lib/worlds.ts';

test('a page finds its own world, and the first one of its server', () => {
  const rows: [string, string, string][] = [
    ['/', '/', '/'], ['/index.html', '/', '/'], ['/w/strict/', '/w/strict/', '/'], ['/w/strict/index.html', '/w/strict/', '/'],
    ['/below/', '/below/', '/below/'], ['/below/w/a-1/', '/below/w/a-1/', '/below/'],
  ];
  for (const [path, base, root] of rows) assert.deepEqual([baseOf(path), rootOf(path)], [base, root], path);
});
