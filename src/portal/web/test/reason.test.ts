// The reasons of a row: asked for each moment once, told once where they are the same, and none where nothing is on record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonsOf } from '../src/lib/reason.ts';
import { plainText, type Part } from '../src/lib/sentence.ts';
import { askable, storyOf } from '../src/lib/story.ts';
import type { Report } from '../src/lib/wire.ts';

const ordered: Part[] = [{ text: 'Theo', to: '@theo', isWho: true }, { text: ' ordered ' }, { text: 'tea', to: '/bar/tea' }];
const alarm: Part[] = [{ text: 'the alarm is on' }];
const of = (seq: number, being: string): Pick<Report, 'seq' | 'being'> => ({ seq, being });
/** A server that knows these reasons, and the moments that it was asked about. */
function server(reasons: Record<number, Part[]>): { read: (seq: number) => Promise<{ report: Pick<Report, 'becauseOf'> }>; asked: number[] } {
  const asked: number[] = [];
  return { asked, read: (seq) => { asked.push(seq); const because = reasons[seq]; return Promise.resolve({ report: because ? { becauseOf: because } : {} }); } };
}

test('a reason is a sentence that keeps its links', async () => {
  const { read, asked } = server({ 7: ordered });
  const reasons = await reasonsOf([of(7, 'rosa')], read);
  assert.deepEqual(reasons.map(plainText), ['Because Theo ordered tea']);
  assert.deepEqual(reasons[0]?.flatMap(({ to }) => to ?? []), ['@theo', '/bar/tea']);
  assert.deepEqual(asked, [7]);
});

test('without a cause on record there is no reason', async () => {
  assert.deepEqual(await reasonsOf([of(7, 'rosa')], server({}).read), []);
  assert.deepEqual(await reasonsOf([of(7, 'rosa'), of(8, 'emil')], server({}).read), []);
});

test('several who have one reason say it once, and others each say whose it is', async () => {
  assert.deepEqual((await reasonsOf([of(7, 'rosa'), of(8, 'emil')], server({ 7: alarm, 8: alarm }).read)).map(plainText), ['Because the alarm is on']);
  const mixed = await reasonsOf([of(7, 'rosa'), of(8, 'emil'), of(9, 'ada'), of(10, 'bo')], server({ 7: alarm, 8: ordered, 9: alarm }).read);
  assert.deepEqual(mixed.map(plainText), ['Rosa and Ada: because the alarm is on', 'Emil: because Theo ordered tea']);
});

test('a row of many asks about few, and a refusal is passed on', async () => {
  const { read, asked } = server({});
  await reasonsOf(Array.from({ length: 40 }, (_, seq) => of(seq, 'rosa')), read);
  assert.deepEqual(asked, [0, 1, 2, 3, 4]);
  await assert.rejects(reasonsOf([of(7, 'rosa')], () => Promise.reject(new Error('you may not read it'))), /may not read/);
});

test('one may ask why of a deed and of those who do the same, and not of a count', () => {
  const report = (seq: number, rest: Partial<Report>): Report => ({
    seq, at: seq * 1000, time: '2026-03-02T06:00:00Z', being: 'eli', because: '', cause: `${seq}.0`, clauses: [], closing: 'act', cognition: 'script', deed: '', place: '/hall', space: '/hall', stack: ['worker'],
    told: [{ text: 'swept the hall' }], wake: 'schedule', verb: 'do', action: 'x:sweep', ...rest,
  });
  const rows = storyOf([report(5, { being: 'eli' }), report(4, { being: 'ada' }), report(3, { closing: 'see', verb: null, action: null }), report(1, { wake: 'gesture', being: 'operator', action: 'space.make' })], 'story', 1000);
  assert.deepEqual(rows.map((row) => [row.kind, row.key === 'planting', askable(row).map(({ seq }) => seq)]), [['group', false, [4, 5]], ['fold', false, []], ['group', true, []]]);
});
