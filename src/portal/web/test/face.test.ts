// Faces and the hues of roles: the same name has the same face, two roles never the same hue while there are enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featuresOf, hashOf, headOf, headSvg, isOff, moodOf } from '../src/lib/face.ts';
import { DASHES, give, hueAt, HUES } from '../src/lib/hues.ts';

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

test('roles have hues of their own, and keep them', () => {
  const roles = Array.from({ length: 12 }, (_, at) => `role-${at}`);
  const given = give({}, roles);
  assert.equal(new Set(roles.map((role) => hueAt(given[role] ?? -1).slot)).size, HUES);
  const more = give(given, ['another', ...roles]);
  for (const role of roles) assert.equal(more[role], given[role]);
  assert.notEqual(hueAt(more['another'] ?? 0).dash, DASHES[0], 'the thirteenth role has a dashed ring');
  assert.equal(hashOf('worker'), hashOf('worker'));
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
