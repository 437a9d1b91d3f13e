// A role that is edited is the role that was read but for what was edited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import './known.ts';
import { known } from '../src/lib/known.ts';
import { valueAt, withKey } from '../src/lib/role.ts';
import type { Json, JsonMap } from '../src/lib/wire.ts';

/** Values as they may stand at each key of a role, the empty ones among them; and keys that no role has today. */
const VALUES: Record<string, Json[]> = {
  name: ['judge'], description: ['Judges.'], canSee: [['**']], canDo: [[{ action: 'say', on: { rel: 'here' } }]], canSummon: [['@*']], canBe: [['birth']],
  see: [['court:docket']], requiredCognition: ['llm'], selfContinue: [true], triggerOn: [[], ['hear'], ['message', 'hear']], defaultOrientation: ['half'], respondMode: ['none'],
  actsForCaller: [true], script: ['judge'], slot: ['writer'], thinks: ['2s'], prompt: ['You judge.\n\n{{me.name}}'], odd: [[], null, false, '', 0, { of: [] }],
};

/** Every role that holds at each key one of its values or nothing, as far as a counter with many digits walks through them. */
function* roles(): Generator<JsonMap> {
  const keys = Object.keys(VALUES);
  for (let number = 0; number < 1500; number += 1) {
    let rest = number * 2_654_435_761 % 4_294_967_296;
    const role: JsonMap = { name: 'judge' };
    for (const key of keys.slice(1)) {
      const choices = VALUES[key] ?? [];
      const choice = rest % (choices.length + 1);
      rest = (Math.floor(rest / 3) + number * 7) >>> 0;
      if (choice < choices.length) role[key] = choices[choice] ?? null;
    }
    yield role;
  }
}

test('every key of a role can be edited, and all others stay as they were read', () => {
  for (const role of roles()) {
    for (const [key, choices] of Object.entries(VALUES).filter(([key]) => key !== 'odd')) {
      for (const value of choices) {
        const edited = withKey(role, key, value);
        const { [key]: _was, ...others } = role;
        const { [key]: _is, ...rest } = edited;
        assert.deepEqual(rest, others, `${key} of ${JSON.stringify(role)}`);
        assert.deepEqual(valueAt(edited, key), value);
      }
    }
  }
});

test('a role that nobody wakes stays asleep when its description is edited', () => {
  const role: JsonMap = { name: 'stone', triggerOn: [] };
  assert.deepEqual(withKey(role, 'description', 'Lies there.'), { name: 'stone', triggerOn: [], description: 'Lies there.' });
  assert.deepEqual(withKey({ name: 'stone' }, 'triggerOn', []), role, 'an empty list is not what a role is without one');
});

test('what says no more than a role is anyway is left out, as the server writes it', () => {
  const whole: JsonMap = { name: 'stone', prompt: 'x', canDo: ['move'], triggerOn: ['hear'], selfContinue: true, defaultOrientation: 'half', script: 'x' };
  const back: [string, Json][] = [['prompt', ''], ['canDo', []], ['triggerOn', ['message', 'signal', 'schedule', 'watch']], ['selfContinue', false], ['defaultOrientation', 'forward'], ['script', null]];
  assert.deepEqual(back.reduce((role, [key, value]) => withKey(role, key, value), whole), { name: 'stone' });
  assert.deepEqual(known().role['triggerOn'], ['message', 'signal', 'schedule', 'watch']);
});
