// The story: sentences without addresses, folds that lose nothing and hide nothing rare, and rows that stay as they were when more happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRare, people, storyOf, toneOf, type Row } from '../src/lib/story.ts';
import { plainText, sentenceOf, told, triedText, type Know } from '../src/lib/tell.ts';
import { asBase, baseOf, inPast, pastOf, thirdOf } from '../src/lib/tense.ts';
import type { Report } from '../src/lib/wire.ts';
import './known.ts';

/** Numbers that fall anyhow, always the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const START = Date.parse('2026-03-02T06:00:00Z');
function report(seq: number, at: number, rest: Partial<Report> = {}): Report {
  return {
    seq, at: START + at, time: new Date(START + at).toISOString(), being: 'eli', because: '', cause: `${seq}.0`, clauses: [], closing: 'act', cognition: 'script', deed: '', place: '/factory/line', space: '/factory/line',
    stack: ['worker'], wake: 'schedule', ...rest,
  };
}
const does = (rest: Partial<Report>): string => `Eli ${plainText(told(report(1, 0, { verb: 'do', ...rest })))}`;

test('verbs are told in the past', () => {
  for (const [third, base, past] of [['presses', 'press', 'pressed'], ['puts', 'put', 'put'], ['takes', 'take', 'took'], ['carries', 'carry', 'carried'], ['scraps', 'scrap', 'scrapped'], ['inspects', 'inspect', 'inspected'],
    ['goes', 'go', 'went'], ['closes', 'close', 'closed'], ['plays', 'play', 'played'], ['fixes', 'fix', 'fixed'], ['is', 'be', 'was'], ['opens', 'open', 'opened']] as const) {
    assert.equal(baseOf(third), base);
    assert.equal(pastOf(base), past);
    assert.equal(thirdOf(base), third);
  }
  assert.equal(inPast('takes a break and leaves the room'), 'took a break and left the room');
  // What begins with no verb in the third person, or is of another language, stays.
  for (const other of ['drückt ein Brett', 'press', 'boss around', '']) assert.equal(inPast(other), other);
  assert.equal(asBase('drückt ein Brett'), null);
});

test('a sentence has names instead of addresses, and numbers without zeros', () => {
  assert.equal(does({ told: 'puts /factory/line/qa/board-00684 into /factory/line/bin' }), 'Eli put board 684 into the bin');
  assert.deepEqual(told(report(1, 0, { verb: 'do', told: 'shapes /factory/line/lathe/board-00041' })), [{ text: 'shaped ' }, { text: 'board 41', to: '/factory/line/lathe/board-00041' }]);
  assert.equal(does({ told: 'files a case against @wheel-works over 12.5: a broken board' }), 'Eli filed a case against Wheel works over 12.5: a broken board');
  assert.equal(does({ told: 'cleans the /factory/line/press' }), 'Eli cleaned the press');
  const know: Know = (address) => (address === '/library/dunes' ? { type: 'book', isPlace: false } : undefined);
  assert.equal(plainText(told(report(1, 0, { verb: 'do', told: 'borrows /library/dunes' }), know)), 'borrowed Dunes');
});

test('what was refused says what was wanted, and why in the same breath', () => {
  const refused = { closing: 'refused', reason: { code: 'gone', at: '' } };
  assert.equal(does({ ...refused, told: 'sends /factory/line/bin/board-00562 back' }), 'Eli could not send board 562 back: the thing was there when the moment opened and is not any more');
  assert.equal(does({ ...refused, verb: null, reason: { code: 'gate-place', at: '' } }), 'Eli was refused: there is no right at this place');
  assert.equal(does({ ...refused, told: 'steps', reason: { code: 'operation-refused', at: 'vera stands there' } }), 'Eli could not step: vera stands there');
  const vera: Know = (address) => (address === '@vera' ? { type: 'being', isPlace: false } : undefined);
  assert.equal(plainText(told(report(1, 0, { ...refused, verb: 'do', told: 'steps', reason: { code: 'operation-refused', at: 'vera stands there' } }), vera)), 'could not step: Vera stands there');
  assert.equal(does({ closing: 'failed', verb: null, reason: { code: 'reply-cut', at: '' } }), "Eli could not think of anything to do: the model's reply was cut off before its end");
});

test('the core has words of its own', () => {
  assert.equal(does({ action: 'move', target: '@eli', deed: 'do @eli move {"to":"/factory/break-room"}', space: '/factory/break-room' }), 'Eli went to the break room');
  assert.equal(does({ action: 'move', target: '@eli', deed: 'do @eli move {"coords":[3,1]}', place: '/square (3,0)', space: '/square' }), 'Eli took some steps');
  assert.equal(does({ action: 'say', target: '/factory/line', said: 'I could sweep.' }), 'Eli said “I could sweep.”');
  assert.equal(does({ verb: 'summon', target: '@sana', said: 'board 684: a crack' }), 'Eli told Sana: “board 684: a crack”');
  assert.equal(does({ verb: 'summon', target: '@sana', deed: 'summon @sana {"content":"What now?"}' }), 'Eli asked Sana: “What now?”');
  assert.equal(does({ verb: 'summon', target: '@sana', deed: 'summon @sana {"content":{"kind":"complaint","folder":"/court/case-002"}}' }), 'Eli sent Sana a complaint: case 2');
  assert.equal(does({ verb: 'summon', target: '@sana', deed: 'summon @sana {"content":{"folder":"/court/case-002","says":"It is true. I will mak…', inReplyTo: '1.0' }), 'Eli answered Sana: “It is true. I will mak…”');
  assert.equal(does({ verb: 'summon', target: '@sana', inReplyTo: '2.0', deed: 'summon @sana {"content":{"about":"crooked nose","board":"/factory/line/defect-bin/board-00245","kind":"verdict",…' }), 'Eli gave Sana a verdict on board 245: “crooked nose”');
  assert.equal(does({ action: 'quality.inc', target: '@eli', deed: 'do @eli quality.inc {"path":"town.steps"}' }), 'Eli changed steps');
  assert.equal(does({ action: 'quality.set', target: '/square/fountain', deed: 'do /square/fountain quality.set {"path":"water.depth","value":3}' }), 'Eli set depth of the fountain to 3');
  assert.equal(does({ action: 'config.set', target: '/', deed: 'do / config.set {"key":"clock","value":"paced 60"}' }), 'Eli set the pace to ×60');
  assert.equal(does({ action: 'court:call-to-order', target: '/court' }), 'Eli called to order');
  assert.equal(does({ action: 'town:mend', target: '/bridge' }), 'Eli mended the bridge');
  assert.equal(does({ verb: 'be', action: 'inhabit', target: '@mira' }), 'Eli began to drive Mira');
  assert.equal(does({ verb: null, closing: 'see' }), 'Eli looked around');
  assert.equal(people(6), 'six people');
});

test('a moment is told behind the name of whoever did it, and a deed of somebody on themself is no deed on another', () => {
  const says = (rest: Partial<Report>): string => plainText(sentenceOf(report(1, 0, { verb: 'do', deed: '', ...rest })));
  assert.equal(says({ verb: 'summon', target: '@eli', deed: 'summon @eli' }), 'Eli called on itself');
  assert.equal(says({ being: 'world', verb: 'be', action: 'genesis' }), 'The world began');
  assert.equal(says({ action: 'pause.set', target: '@sana' }), 'Eli paused Sana');
  // Of what is less than a moment, such as a mark of a life, the same is told as far as it is known.
  assert.equal(plainText(told({ verb: 'do', action: 'move', target: '@eli', deed: 'do @eli move {"to":"/hall"}', closing: 'act', being: 'eli' })), 'went to the hall');
});

test('a button of the world says what it does', () => {
  const tries = { button: 'Go', say: '' };
  assert.equal(triedText({ ...tries, verb: 'do', action: 'signal.set', target: '/', args: { name: 'town.alarm', value: true } }), 'Sets alarm to on');
  assert.equal(triedText({ ...tries, verb: 'summon', target: '@mo', content: 'Take a break?' }), 'Asks Mo: “Take a break?”');
  assert.equal(triedText({ ...tries, verb: 'do', action: 'court:file', target: '/court', content: null }), 'Files the court');
});

/** A life of anything that can happen. */
function life(seed: number, length: number): Report[] {
  const roll = dice(seed);
  let at = 0;
  return Array.from({ length }, (_, index) => {
    at += roll(5) === 0 ? roll(900_000) : roll(20_000);
    const being = ['ada', 'bruno', 'chidi', 'dana', 'eli'][roll(5)] ?? 'eli';
    const stack = ['worker', ...(roll(2) ? ['emotions:urgent'] : []), ...(roll(3) === 0 ? ['emotions:bored'] : [])];
    const kind = roll(14);
    const rest: Partial<Report> = kind < 4 ? { verb: null, closing: 'see' }
      : kind < 8 ? { verb: 'do', action: `skateco:step-${roll(3)}`, told: `presses board-${roll(3)}` }
        : kind === 8 ? { verb: 'do', action: `skateco:rare-${roll(40)}`, told: 'comes to work' }
          : kind === 9 ? { verb: 'do', action: 'say', said: 'Well.' }
            : kind === 10 ? { verb: 'do', action: 'skateco:step-0', closing: ['refused', 'failed', 'dead-letter'][roll(3)] ?? 'refused', reason: { code: 'gone', at: '' } }
              : kind === 11 ? { verb: 'do', action: 'skateco:step-1', told: 'presses a deck', cognition: 'human' }
                : kind === 12 ? { verb: 'do', action: 'signal.set', target: '/', deed: 'do / signal.set {"name":"skateco.alarm","value":true}' }
                  : { closing: 'requeued', reason: { code: ['asking', 'looked', 'outage'][roll(3)] ?? 'asking', at: '' } };
    return report(index + 1, at, { being, stack, ...rest });
  }).toReversed();
}
const counted = (rows: Row[]): number[] => rows.flatMap((row) => row.reports.map(({ seq }) => seq)).toSorted((a, b) => a - b);

test('no moment is lost in the story, and none is told twice', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const reports = life(seed, 120);
    const all = reports.map(({ seq }) => seq).toSorted((a, b) => a - b);
    assert.deepEqual(counted(storyOf(reports)), all, `seed ${seed}`);
    assert.deepEqual(counted(storyOf(reports, 'all')), all);
    const keys = storyOf(reports).map((row) => row.key);
    assert.equal(new Set(keys).size, keys.length);
  }
});

test('what is rare is in no fold', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    for (const row of storyOf(life(seed, 120))) {
      if (row.reports.length > 1 || row.kind === 'fold') assert.ok(!row.reports.some(isRare), `seed ${seed}, ${row.key}`);
      assert.ok(row.parts.length > 0, row.key);
    }
  }
});

test('what comes later changes no row but those it joins, and takes none away', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const reports = life(seed, 120);
    let before = storyOf(reports.slice(60));
    for (let more = 59; more >= 0; more -= 1) {
      const now = storyOf(reports.slice(more));
      const places = new Map(now.map((row, index) => [row.key, index]));
      const order = before.map((row) => places.get(row.key));
      assert.ok(order.every((place, index) => place !== undefined && (index === 0 || place > (order[index - 1] ?? -1))), `seed ${seed}`);
      const fresh = reports[more]?.seq;
      for (const row of before) {
        const after = now[places.get(row.key) ?? -1];
        const [was, is] = [row.reports.map(({ seq }) => seq), after?.reports.map(({ seq }) => seq).filter((seq) => seq !== fresh)];
        assert.deepEqual(is, was);
      }
      before = now;
    }
  }
});

test('looks and routine are one count, with the place where all of it happened', () => {
  const steps = Array.from({ length: 16 }, (_, index) => report(index + 1, index * 1000, { verb: 'do', action: `skateco:step-${index % 2}`, told: 'presses a deck' }));
  const looks = Array.from({ length: 5 }, (_, index) => report(index + 17, 20_000 + index, { verb: null, closing: 'see' }));
  const [fold] = storyOf([...steps, ...looks].toReversed());
  assert.equal(plainText(fold?.parts ?? []), '12 steps on the line, 5 looks');
  const elsewhere = steps.map((step, index) => (index === 9 ? { ...step, space: '/yard' } : step));
  assert.equal(plainText(storyOf(elsewhere.toReversed())[0]?.parts ?? []), '12 steps');
});

test('a count that was begun a moment ago takes up what lies between other rows', () => {
  const says = (seq: number, at: number): Report => report(seq, at, { verb: 'do', action: 'say', said: 'Good morning.' });
  const looks = (seq: number, at: number): Report => report(seq, at, { verb: null, closing: 'see' });
  const rows = storyOf([looks(1, 0), says(2, 1000), looks(3, 2000), says(4, 3000), looks(5, 4000), says(6, 300_000), looks(7, 301_000)].toReversed());
  assert.deepEqual(rows.map((row) => row.reports.map(({ seq }) => seq)), [[7], [6], [4], [2], [1, 3, 5]]);
  assert.equal(rows.at(-1)?.at, START);
});

test('those who do the same within a minute and a half are one row', () => {
  const names = ['ada', 'bruno', 'chidi', 'dana', 'eli', 'fatma'];
  const came = names.map((being, index) => report(index * 2 + 1, index * 20_000, { being, verb: 'do', action: `skateco:clock-in`, told: 'comes to work' }));
  const between = names.map((being, index) => report(index * 2 + 2, index * 20_000 + 1, { being, verb: null, closing: 'see' }));
  const rows = storyOf([...came, ...between].toSorted((a, b) => b.seq - a.seq));
  assert.ok(rows.some((row) => plainText(row.parts) === 'Ada and Bruno came to work'));
  assert.ok(!rows.some((row) => row.kind === 'group' && row.reports.some(isRare)));
});

test('a turn of the world has a row of its own, with what it led to', () => {
  const before = ['ada', 'bruno', 'chidi'].map((being, index) => report(index + 1, index, { being, verb: null, closing: 'see' }));
  const alarm = report(4, 1000, { being: 'mo', verb: 'do', action: 'signal.set', target: '/', deed: 'do / signal.set {"name":"skateco.alarm","value":true}' });
  const after = ['ada', 'bruno', 'chidi'].map((being, index) => report(index + 5, 2000 + index, { being, verb: null, closing: 'see', stack: ['worker', 'emotions:urgent'] }));
  const rows = storyOf([...before, alarm, ...after].toReversed());
  assert.ok(rows.some((row) => row.kind === 'turn' && plainText(row.parts) === 'The alarm went on, so three people now wear urgent'));
  // Where nobody said why, that they do is told alone.
  const alone = storyOf([...before, ...after].toReversed());
  assert.ok(alone.some((row) => row.kind === 'turn' && row.reports.length === 0 && plainText(row.parts) === 'Three people now wear urgent'));
});

test('what went wrong has its own sign', () => {
  const [refused, failed, look] = [{ closing: 'refused', reason: { code: 'gone', at: '' } }, { closing: 'dead-letter', reason: { code: 'gone', at: '' } }, { closing: 'see', verb: null }].map((rest) => storyOf([report(1, 0, rest)])[0]);
  assert.deepEqual([refused, failed, look].map((row) => row && toneOf(row)), ['refused', 'failed', 'fold']);
});

test('what plants a world is one row, and what is done and said later is not in it', () => {
  const begun = life(3, 6).map((report, at) => ({ ...report, at: 1000, being: 'operator', cognition: 'human', closing: 'act', verb: 'do', action: 'space.make', wake: 'gesture', said: '', seq: at }));
  const later = { ...begun[0]!, at: 2000, seq: 90 };
  const said = { ...begun[0]!, seq: 91, said: 'Let there be light' };
  const rows = storyOf([said, later, ...begun.toReversed()].toSorted((a, b) => b.seq - a.seq), 'story', undefined, 1000);
  assert.equal(rows.filter((row) => row.key === 'planting').length, 1);
  assert.deepEqual(rows.map((row) => row.reports.length).toSorted((a, b) => a - b), [1, 1, 6]);
});

test('a deed that is done often and is still a small part of the hour is told', () => {
  const hour = Array.from({ length: 400 }, (_, at) => report(at + 1, at * 9_000, { verb: 'do', action: at % 40 === 0 ? 'x:clean' : 'x:press', told: at % 40 === 0 ? 'cleans the press' : 'presses a deck' }));
  const rows = storyOf(hour.toReversed());
  assert.equal(rows.filter((row) => row.kind === 'told' && plainText(row.parts).includes('cleaned the press')).length, 10);
  assert.ok(rows.some((row) => row.kind === 'fold' && row.reports.length > 20), 'what is routine folds');
});
