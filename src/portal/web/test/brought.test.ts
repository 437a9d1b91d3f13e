// Rules and extensions in sentences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringsText, kindsOf, needsOf, originOf, ruleText, shortName } from '../src/lib/brought.ts';

test('a rule is a sentence, and its name says who brought it', () => {
  assert.equal(ruleText({ name: 'court:file-stays', rule: { on: [{ action: 'move', on: 'case' }, 'matter.end'], refuse: 'a case stays' } }), 'It refuses `move on case` and `matter.end`.');
  assert.equal(ruleText({ name: 'world:slow', rule: { on: ['say'], script: 'judge' } }), 'It asks the script `judge` about `say`.');
  assert.deepEqual([originOf('court:file-stays'), originOf('world:slow'), shortName('court:file-stays')], ['court', null, 'file stays']);
});

test('an extension tells what it brings and needs', () => {
  const manifest = { operations: [{ name: 'a:b', description: 'does it' }], matterTypes: [{ type: 'x' }, { type: 'y' }], signals: [], needs: { emotions: '^1.0', 'library?': '*' } };
  const extension = { name: 'a', isOn: true, manifest };
  assert.equal(bringsText(extension), 'It is on for the whole world, and brings 1 operation and 2 types of things.');
  assert.equal(bringsText({ name: 'a', isOn: false, manifest: {} }), 'It is off.');
  assert.deepEqual(kindsOf(extension).map(({ title, items }) => [title, items.length]), [['Operations', 1], ['Types of things', 2]]);
  assert.deepEqual(needsOf(extension), [{ name: 'emotions', wanted: '^1.0', canDoWithout: false }, { name: 'library', wanted: '*', canDoWithout: true }]);
});
