// The graph of causes: where moments stand, how one walks along its arrows, and what lies beyond what is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { did } from './told.ts';
import { cut, deedText, further, graphOf, linkText, walked } from '../src/lib/causes.ts';
import { Pinch, turned } from '../src/lib/pinch.ts';
import { pathsIn } from '../src/lib/value.ts';
import type { Causes, Link } from '../src/lib/wire.ts';

const link = (seq: number, cause: number | null, depth: number, begins: string | null = null): Link =>
  ({ seq, cause, depth, begins, moment: `@ada/${seq}`, time: '2026-03-02T09:00:00+00:00', because: '', deed: '', told: did('looked around'), closing: 'act' });
/** 3 woke 5, which woke 8; 8 woke 9 and 10, 9 woke 11, 10 woke 12 and 13. */
const causes: Causes = {
  moment: link(8, 5, 0), causes: [link(5, 3, 1), link(3, null, 2, 'person')], moreCauses: false,
  effects: [link(9, 8, 1), link(10, 8, 1), link(11, 9, 2), link(12, 10, 2), link(13, 10, 2)], moreEffects: false,
};
const placed = (most: number): Record<number, [number, number]> => Object.fromEntries(graphOf(causes, most).spots.map(({ link, column, row }) => [link.seq, [column, row]]));

test('each wake is a column, the way from cause to first effect is straight, and no two stand at one place', () => {
  assert.deepEqual(placed(40), { 3: [0, 0], 5: [1, 0], 8: [2, 0], 9: [3, 0], 11: [4, 0], 10: [3, 1], 12: [4, 1], 13: [4, 2] });
  const { columns, rows, hidden } = graphOf(causes, 40);
  assert.deepEqual([columns, rows, hidden], [5, 3, 0]);
});

test('a bounded graph has the nearest causes and the first effects, says how many it lacks, and hangs together', () => {
  const graph = graphOf(causes, 1);
  assert.deepEqual(graph.spots.map(({ link }) => link.seq), [5, 8, 9]);
  assert.equal(graph.hidden, 5);
  for (let most = 1; most < 6; most += 1) {
    const { spots } = graphOf(causes, most);
    const seqs = spots.map(({ link }) => link.seq);
    assert.ok(spots.every(({ from }, index) => index === 0 || seqs.includes(from ?? -1)), String(most));
    assert.equal(new Set(spots.map(({ column, row }) => `${column} ${row}`)).size, spots.length);
  }
});

test('arrows go along the edges and stay where there is none', () => {
  const graph = graphOf(causes, 40);
  const steps: [number, string, number][] = [[8, 'ArrowLeft', 5], [3, 'ArrowLeft', 3], [8, 'ArrowRight', 9], [9, 'ArrowDown', 10], [10, 'ArrowUp', 9], [10, 'ArrowRight', 12], [13, 'ArrowRight', 13], [13, 'ArrowLeft', 10], [8, 'Home', 3]];
  for (const [from, key, to] of steps) assert.equal(walked(graph, from, key), to, `${from} ${key}`);
});

test('what lies further back is joined on, as deep as it lies', () => {
  const known = { ...causes, causes: [link(5, 3, 1)], moreCauses: true };
  const joined = further(known, { ...causes, moment: link(5, 3, 0), causes: [link(3, null, 1, 'person')], moreCauses: false });
  assert.deepEqual(joined.causes.map(({ seq, depth }) => [seq, depth]), [[5, 1], [3, 2]]);
  assert.equal(joined.moreCauses, false);
});

test('a moment is told in the sentence that the story has', () => {
  const asked = { ...link(8, 5, 0, 'person'), verb: 'summon' as const, target: '@mira', told: did('asked Mira:', 'Is it dry?') };
  assert.equal(deedText(asked), 'asked Mira: “Is it dry?”');
  assert.equal(linkText(asked), `@ada/8, ${linkText(link(8, 5, 0)).split(', ')[1]?.split(':').slice(0, 3).join(':')}: asked Mira: “Is it dry?”; begins with a person`);
  const moved = { ...link(9, 8, 1), told: did('took a step') };
  assert.deepEqual([deedText(moved), deedText(link(9, 8, 1)), cut('a long deed', 7)], ['took a step', 'looked around', 'a long…']);
});

test('two pointers that part lead nearer around their middle, one alone leads nowhere, and a third means nothing', () => {
  const pinch = new Pinch();
  pinch.down(1, 100, 0);
  assert.equal(pinch.move(1, 110, 0), null);
  pinch.down(2, 210, 0);
  assert.ok(pinch.isOn);
  assert.deepEqual(pinch.move(2, 310, 0), { factor: 0.5, from: { x: 160, y: 0 }, to: { x: 210, y: 0 } });
  pinch.down(3, 0, 0);
  assert.equal(pinch.move(3, 50, 50), null);
  pinch.up(1);
  assert.equal(pinch.move(2, 400, 0), null);
  // Two that lie on one another do not lead infinitely near.
  pinch.down(4, 400, 0);
  assert.equal(pinch.move(4, 401, 0)?.factor, 1);
});

test('a turn of the wheel is a step, a pinch on a trackpad as much as the hand moves', () => {
  assert.deepEqual([turned({ deltaY: -100, ctrlKey: false }, 0.5), turned({ deltaY: 1, ctrlKey: false }, 0.5)], [0.5, 2]);
  assert.ok(Math.abs(turned({ deltaY: -10, ctrlKey: true }, 0.5) - Math.exp(-0.1)) < 1e-12);
  assert.ok(turned({ deltaY: -1000, ctrlKey: true }, 0.5) >= Math.exp(-0.5));
});

test('the paths of a value are those that an address can go on with', () => {
  assert.deepEqual(pathsIn({ persona: { about: 'x', 'a.b': 1 }, t: { n: [1, { x: 1 }] } }), ['persona', 'persona.about', 't', 't.n']);
  assert.deepEqual([pathsIn(null), pathsIn([1])], [[], []]);
});
