// Names on the map and steps in the header, where there is little room for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedCrumbs } from '../src/lib/crumbs.ts';
import { labelled, type Label } from '../src/lib/map/labels.ts';

/** Each letter is half as wide as it is high. */
const widthOf = (text: string, size: number): number => [...text].length * size * 0.5;
const label = (key: string, x: number, text: string, more: Partial<Label> = {}): Label => ({ key, x, y: 0, text, size: 10, isStrong: false, rank: 1, ...more });

/** Labels, the room that each needs at least, and what is written. */
const TABLE: [string, Label[], number, Record<string, string>][] = [
  ['a name with room is whole', [label('a', 0, 'fountain')], 40, { a: 'fountain' }],
  ['two far from each other are whole', [label('a', 0, 'press'), label('b', 60, 'lathe')], 40, { a: 'press', b: 'lathe' }],
  ['two long names share what lies between them', [label('a', 0, 'abcdefghijklmnop'), label('b', 50, 'abcdefghijklmnop')], 30, { a: 'abcdefgh…', b: 'abcdefgh…' }],
  ['a short name leaves room to a long one', [label('a', 0, 'abcdefghijkl'), label('b', 40, 'qa')], 40, { a: 'abcdefghijkl', b: 'qa' }],
  ['of three without room the middle one is not written', [label('a', 0, 'abcdefghij'), label('b', 25, 'abcdefghij'), label('c', 50, 'abcdefghij')], 40, { a: 'abcdefgh…', c: 'abcdefgh…' }],
  ['a title gives way to a name', [label('a', 0, 'abcdefghij'), label('b', 20, 'abcdefghij', { rank: 2 })], 40, { b: 'abcdefghij' }],
  ['a caption in the next row has room of its own', [label('a', 0, 'abcdefghij'), label('b', 20, 'abcdefghij', { y: 10.2 })], 40, { a: 'abcdefghij', b: 'abcdefghij' }],
  ['what stands behind a name is never cut', [label('a', 0, 'abcdefghij', { tail: ' 8 wait' }), label('b', 66, 'abcdefghij')], 40, { a: 'abcdefg…', b: 'abcdefghij' }],
  ['nothing is written for nothing', [label('a', 0, '')], 40, {}],
];

for (const [name, labels, least, written] of TABLE) {
  test(`on the map, ${name}`, () => assert.deepEqual(Object.fromEntries(labelled(labels, widthOf, least, 4)), written));
}

test('no two names of one row lie on each other, however they stand', () => {
  let state = 7;
  const roll = (below: number): number => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * below); };
  for (let turn = 0; turn < 200; turn += 1) {
    const labels = Array.from({ length: 12 }, (_, at) => label(String(at), roll(400), 'abcdefghijklmnopqrstuvwxyz'.slice(0, 1 + roll(26)), { y: roll(30), rank: roll(3) }));
    const boxes = [...labelled(labels, widthOf, 40, 4)].map(([key, text]) => {
      const { x, y, text: all } = labels[Number(key)] ?? label('', 0, '');
      const width = widthOf(text, 10);
      assert.ok(text === all || width >= 40, `${text} has ${width}`);
      return { left: x - width / 2, right: x + width / 2, y };
    });
    boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => {
      assert.ok(Math.abs(one.y - other.y) >= 10 || one.right <= other.left + 0.01 || other.right <= one.left + 0.01, `turn ${turn}`);
    }));
  }
});

/** How wide the steps are, the room, and how many are folded; −1: the only one is cut. */
const WAYS: [number[], number, number][] = [
  [[40, 30, 50], 200, 0],
  [[40, 30, 50], 150, 1],
  [[40, 30, 50], 100, 2],
  [[400, 400, 400], 300, 2],
  [[400], 300, -1],
  [[], 300, 0],
];
for (const [widths, room, folded] of WAYS) {
  test(`of steps as wide as ${widths.join(', ') || 'nothing'} ${folded} are folded in ${room} pixels`, () => assert.equal(foldedCrumbs(widths, room), folded));
}
