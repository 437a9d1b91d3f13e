import assert from 'node:assert/strict';
import { test } from 'node:test';

import { oftenDone } from '../src/lib/often.ts';
import type { Report } from '../src/lib/wire.ts';

const done = (action: string, target: string, closing = 'act'): Report => ({ action, target, closing }) as Report;

test('deeds on the very thing count most, those on its like count too, refused and other ones do not', () => {
  const moments = [
    done('factory:press', '/hall/press'), done('factory:wax', '/hall/rack'), done('factory:wax', '/hall/rack'), done('quality.set', '@ada'),
    done('factory:cut', '/yard/saw'), done('factory:break', '/hall/press', 'refused'),
  ];
  assert.deepEqual([...oftenDone(moments, '/hall/press')], [['factory:press', 100], ['factory:wax', 2]]);
  assert.deepEqual([...oftenDone(moments, '@birther')], [['quality.set', 1]]);
  assert.deepEqual([...oftenDone(moments, '@ada/bag')], [], 'what a being carries is no being');
});
