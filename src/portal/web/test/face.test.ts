// Faces and the hues of roles: the same name has the same face, two roles never the same hue while there are enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featuresOf, hashOf, headOf, headSvg, isOff, moodOf } from '../src/lib/face.ts';
import { DASHES, hueOf, HUES } from '../src/lib/hues.ts';

test('a face is that of its name', () => {
  assert.deepEqual(featuresOf('eli'), featuresOf('eli'));
  const faces = new Set(Array.from({ length: 300 }, (_, at) => JSON.stringify(featuresOf(`citizen-${at}`))));
  assert.ok(faces.size > 285, `only ${faces.size} of 300 faces differ`);
  assert.ok(new Set(['ada', 'bruno', 'chidi', 'dana', 'eli', 'fatma'].map((name) => featuresOf(name).hue)).size >= 5);
});

test('what a source chooses of a face is taken where it can be drawn', () => {
  assert.equal(featuresOf('eli', { hue: 400 }).hue, 40);
  assert.equal(featuresOf('eli', { eyes: 3 }).eyes, 3);
  assert.deepEqual(featuresOf('eli', { eyes: 99, hair: -1, hue: Number.NaN }), featuresOf('eli'));
  assert.ok(!headSvg('<script>', 'square', { hue: '"><script>' as unknown as number }).includes('script>'));
});

test('a role has the hue of its place, and none of another', () => {
  const places = Object.fromEntries(Array.from({ length: HUES + 1 }, (_, at) => [`role-${at}`, at]));
  assert.equal(new Set(Object.keys(places).map((role) => JSON.stringify(hueOf(places, role)))).size, HUES + 1);
  assert.equal(new Set(Object.keys(places).slice(0, HUES).map((role) => hueOf(places, role).slot)).size, HUES);
  assert.notEqual(hueOf(places, `role-${HUES}`).dash, DASHES[0], 'the fifteenth role has a dashed ring');
});

test('a role that nobody has worn has the hue of its name, in every browser', () => {
  assert.deepEqual(hueOf({}, 'worker'), { slot: (hashOf('worker') % HUES) + 1, dash: '' });
  assert.deepEqual(hueOf({}, 'constructor'), { slot: (hashOf('constructor') % HUES) + 1, dash: '' }, 'no property of all objects is a place');
});

test('a mood is the most pressing of the modifiers', () => {
  assert.equal(moodOf(['emotions:bored', 'emotions:urgent']), 'urgent');
  assert.equal(moodOf(['x:grumpy']), 'grumpy');
  assert.equal(moodOf([]), null);
  for (const role of ['off-duty', 'skateco:off-duty', 'asleep', 'off']) assert.ok(isOff(role), role);
  for (const role of ['office', 'worker', 'coffee', 'handoff-clerk']) assert.ok(!isOff(role), role);
});

test('the head says who thinks: also whom a person drives', () => {
  assert.deepEqual(['human', 'llm', 'script', 'panel', undefined].map((cognition) => headOf(cognition)), ['round', 'hexagon', 'square', 'kite', 'square']);
  assert.equal(headOf('script', true), 'round');
  assert.equal(moodOf(['emotions:open']), null, 'who feels nothing in particular shows no mood');
});
