// Two drafts of one thing: what each has changed, and both together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threeWay } from '../src/lib/threeway.ts';
import type { Json } from '../src/lib/wire.ts';

const role = { name: 'judge', canDo: ['say', 'vote'], prompt: 'You judge.\nYou are fair.\nYou are brief.' };
const whose = (base: Json, mine: Json, theirs: Json): string[] => threeWay(base, mine, theirs).parts.map((part) => `${part.path} ${part.whose}`);

test('different keys, entries and lines are taken from whoever changed them', () => {
  const mine = { ...role, canDo: ['say', 'vote', 'move'], prompt: 'You judge.\nYou are fair.\nYou are very brief.' };
  const theirs = { ...role, canDo: ['look', 'say', 'vote'], description: 'In court.', prompt: 'You judge all.\nYou are fair.\nYou are brief.' };
  const { parts, merged } = threeWay(role, mine, theirs);
  assert.deepEqual(merged, { name: 'judge', canDo: ['look', 'say', 'vote', 'move'], description: 'In court.', prompt: 'You judge all.\nYou are fair.\nYou are very brief.' });
  assert.deepEqual(parts.map((part) => `${part.path} ${part.whose}`), ['canDo[0] theirs', 'canDo[2] mine', 'prompt[0] theirs', 'prompt[2] mine', 'description theirs']);
});

test('what both have changed is nobody’s to decide', () => {
  const both = threeWay(role, { ...role, name: 'a' }, { ...role, name: 'b' });
  assert.equal(both.merged, null);
  assert.deepEqual(both.parts, [{ path: 'name', whose: 'both', base: 'judge', mine: 'a', theirs: 'b' }]);
  assert.deepEqual(whose([1, 2, 3], [1, 9, 3], [1, 8, 3]), ['[1] both']);
  assert.deepEqual(whose({ a: 1 }, {}, { a: 2 }), ['a both']);
  assert.equal(threeWay([1, 2, 3], [1, 3], [1, 4, 3]).merged, null);
});

test('the same change of both is a change of neither', () => {
  assert.deepEqual(threeWay([1, 2], [1, 3], [1, 3]), { parts: [], merged: [1, 3] });
  assert.deepEqual(whose(role, { ...role, name: 'a' }, { ...role, name: 'a', canDo: [] }), ['canDo[0] theirs']);
});

/** Numbers that come in the same order each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let now = seed; ; ) {
    now = (Math.imul(now, 1_103_515_245) + 12_345) >>> 0;
    yield now >>> 16;
  }
}
function changed(list: number[], draw: () => number, from: number): number[] {
  const copy = [...list];
  for (let left = draw() % 4; left > 0; left -= 1) copy.splice(draw() % (copy.length + 1), draw() % 2, ...(draw() % 2 ? [from + (draw() % 50)] : []));
  return copy;
}

test('of any three lists: one side that changed nothing gives the other, and both sides of a draft change nothing but places', () => {
  const source = numbers(7);
  const draw = (): number => source.next().value;
  for (let round = 0; round < 2_000; round += 1) {
    const base = Array.from({ length: draw() % 7 }, () => draw() % 5);
    const [mine, theirs] = [changed(base, draw, 100), changed(base, draw, 200)];
    assert.deepEqual(threeWay(base, base, theirs).merged, theirs);
    assert.deepEqual(threeWay(base, mine, base).merged, mine);
    const [one, other] = [threeWay(base, mine, theirs), threeWay(base, theirs, mine)];
    assert.deepEqual(one.merged, other.merged, JSON.stringify([base, mine, theirs]));
    // An item that one has taken out is gone, or both have changed the same part; each stands once in the beginning.
    const own = base.map((_, at) => at);
    const [less, more] = [own.filter(() => draw() % 3 > 0), [...own, 300]];
    const thinned = threeWay(own, less, more).merged as number[] | null;
    if (thinned !== null) assert.deepEqual(thinned, [...less, 300]);
    // An item that somebody has put in is there, or both have changed the same part.
    if (one.merged !== null) for (const item of [...mine, ...theirs].filter((item) => item >= 100)) assert.ok((one.merged as number[]).includes(item));
  }
});
