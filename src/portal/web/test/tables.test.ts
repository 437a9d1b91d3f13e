// Tables: how they are read and written, what they come to, and the statistics against figures that are known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv, writeCsv } from '../src/lib/csv.ts';
import { arranged, axisOf, figuresTable, kindOf, surveyed, swept, valueText } from '../src/lib/figures.ts';
import { meanOf, quantileOfT, shareOf } from '../src/lib/stats.ts';

const near = (found: number | null, wanted: number, by: number): void => assert.ok(found !== null && Math.abs(found - wanted) <= by, `${found}, not ${wanted}`);

test("Student's quantiles are those of the tables", () => {
  const known: [number, number, number][] = [
    [0.975, 1, 12.706204736], [0.975, 2, 4.302652730], [0.975, 3, 3.182446305], [0.975, 5, 2.570581836], [0.975, 10, 2.228138852],
    [0.975, 30, 2.042272456], [0.975, 120, 1.979930405], [0.95, 1, 6.313751515], [0.95, 10, 1.812461123], [0.995, 4, 4.604094871],
  ];
  for (const [share, degrees, quantile] of known) near(quantileOfT(share, degrees), quantile, 1e-6);
  near(quantileOfT(0.975, 100_000), 1.959987708, 1e-6);
});

test("Wilson's intervals are those of Newcombe 1998, table I", () => {
  for (const [count, n, low, high] of [[81, 263, 0.2553, 0.3662], [15, 148, 0.0624, 0.1605], [0, 20, 0, 0.1611], [1, 29, 0.0061, 0.1718]] as const) {
    const share = shareOf(count, n);
    near(share.low, low, 5e-5);
    near(share.high, high, 5e-5);
    assert.ok(share.low! <= share.value && share.value <= share.high!);
  }
  assert.equal(shareOf(0, 0).low, null);
});

test('a mean has bounds from two values on', () => {
  const { value, low, high, n } = meanOf([4, 5, 6, 7]);
  assert.deepEqual([value, n], [5.5, 4]);
  // s = 1.290994, t(3) = 3.182446: 5.5 ± 2.054260
  near(low, 3.445740, 1e-5);
  near(high, 7.554260, 1e-5);
  assert.deepEqual(meanOf([3]), { value: 3, low: null, high: null, n: 1 });
});

test('a table is read as it was written, whatever stands in it', () => {
  const table = { columns: ['a', 'b, "c"', 'd'], rows: [['', 'x\r\ny', '"'], ['1,2', ' ', 'ü'], ['', '', '']] };
  assert.deepEqual(readCsv(writeCsv(table)), table);
  assert.deepEqual(readCsv('\uFEFFa,b\n1,2\n3,4'), { columns: ['a', 'b'], rows: [['1', '2'], ['3', '4']] });
  assert.deepEqual(readCsv('a,b\n'), { columns: ['a', 'b'], rows: [] });
});

test('what is wrong with a table is said with its line and column', () => {
  const wrong: [string, RegExp][] = [
    ['', /^line 1, column 1: expected the names/],
    ['a,b\n1,2\n3', /^line 3, column 1: expected 2 fields as in the first line, found 1/],
    ['a,b\n"x\ny","z', /^line 3, column 4: expected closing quotes/],
    ['a,b\n1,x"y"', /^line 2, column 4: expected quotes around the whole field/],
    ['a,b\n"1"x,2', /^line 2, column 4: expected a comma or the end of the line, found `x`/],
    ['a,a\n', /expected each column once, found `a` twice/],
    ['a,b\r1,2', /^line 1, column 4: expected a comma or the end of the line/],
  ];
  for (const [text, says] of wrong) assert.throws(() => readCsv(text), { message: says }, text);
});

const survey = readCsv(`point,seq,being,item,answer,raw,refusal
now,9,@ada,mood,6,6,
now,9,@ben,mood,4,4,
now,9,@cleo,mood,,,silent
~1h,5,@ada,mood,2,2,
now,9,@ada,friend,Ben,Ben!,
now,9,@ben,friend,nobody,Nobody.,
now,9,@cleo,friend,Ben,Ben,
`);

test('of a survey the means and the shares are told, with how many there are and how many lack', () => {
  assert.equal(kindOf(survey), 'survey');
  const [mood, friend] = surveyed(survey, 'point', false);
  assert.deepEqual([mood?.of, mood?.missing, mood?.figures.map(({ label, value, n }) => [label, value, n])], ['mean', 1, [['now', 5, 2], ['~1h', 2, 1]]]);
  assert.deepEqual([friend?.of, friend?.figures.map(({ answer, value, n }) => [answer, Math.round(value * 300), n])], ['share', [['Ben', 200, 3], ['nobody', 100, 3]]]);
  assert.equal(surveyed(survey, 'all', true)[0]?.of, 'share');
  assert.deepEqual(surveyed(survey, 'being', false)[0]?.figures.map(({ label, n }) => [label, n]), [['@ada', 2], ['@ben', 1]]);
});

test('many different answers are told as the most frequent and all others, and come to one', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ['now', '1', '@ada', 'why', index < 10 ? 'because' : `reason ${index}`]);
  const [why] = surveyed({ columns: ['point', 'seq', 'being', 'item', 'answer'], rows }, 'all', false);
  assert.equal(why?.figures.length, 12);
  assert.deepEqual([why?.figures[0]?.answer, why?.figures.at(-1)?.answer], ['because', 'all others']);
  near(why?.figures.reduce((sum, { value }) => sum + value, 0) ?? 0, 1, 1e-12);
});

const sweep = readCsv(`arm,seed,replicate,measure,at,value,draws
as-is,1,1,mood,x,10,seed
as-is,2,1,mood,x,20,seed
as-is,3,1,mood,x,30,seed
strict,1,1,mood,x,11,seed
strict,2,1,mood,x,22,seed
strict,3,1,mood,x,33,seed
strict,4,1,mood,x,,seed
`);

test('of a sweep the arms are told, and against the first one what they differ by from the same seed', () => {
  assert.equal(kindOf(sweep), 'sweep');
  // A series has many samples of one run: no figure is made of it.
  assert.equal(kindOf(readCsv('arm,seed,replicate,measure,at,value,world\n')), 'other');
  const [mood, against] = swept(sweep);
  assert.deepEqual([mood?.missing, mood?.figures.map(({ label, value, n }) => [label, value, n])], [1, [['as-is', 20, 3], ['strict', 22, 3]]]);
  assert.deepEqual([against?.of, against?.name], ['difference', 'mood, less that of as-is']);
  // The differences are 1, 2, 3: 2 ± 4.302653 / √3. Unpaired they would drown in the differences of seeds.
  const [strict] = against?.figures ?? [];
  near(strict?.low ?? null, 2 - 4.302652730 / Math.sqrt(3), 1e-6);
  near(strict?.value ?? null, 2, 1e-12);
});

test('replicates of a seed are one draw, unless there is no other seed', () => {
  const rows = (seeds: string[]): string[][] => seeds.flatMap((seed) => ['1', '2'].flatMap((replicate) => [['a', seed, replicate, 'm', seed], ['b', seed, replicate, 'm', '3']]));
  const columns = ['arm', 'seed', 'replicate', 'measure', 'value'];
  assert.deepEqual(swept({ columns, rows: rows(['1', '2']) }).map(({ figures }) => figures.map(({ n }) => n)), [[2, 2], [2]]);
  assert.deepEqual(swept({ columns, rows: rows(['1']) }).map(({ figures }) => figures.map(({ n }) => n)), [[2, 2], [2]]);
  assert.deepEqual(swept({ columns, rows: rows(['1', '2', '3']) }).map(({ figures }) => figures.map(({ n }) => n)), [[3, 3], [3]]);
});

test('one answer under two names of its point counts once, and a copy of a run is no draw', () => {
  const twice = readCsv('point,being,item,answer,note\nnow,@ada,mood,6,\n~0ms,@ada,mood,6,same as now\n');
  assert.deepEqual(surveyed(twice, 'all', false)[0]?.figures.map(({ n }) => n), [1]);
  assert.deepEqual(surveyed(twice, 'point', false)[0]?.figures.map(({ n }) => n), [1, 1]);
  const copies = readCsv('arm,seed,replicate,measure,value,draws\na,1,1,m,5,seed\na,1,2,m,5,copy\nb,1,1,m,6,model\nb,1,2,m,8,model\n');
  assert.deepEqual(swept(copies).map(({ figures }) => figures.map(({ n }) => n)), [[1, 2], [2]]);
});

test('rows are found, and put in order by numbers or letters', () => {
  assert.deepEqual(arranged(sweep, 'strict', 5, true).map((row) => row[5]), ['33', '22', '11', '']);
  assert.deepEqual(arranged(survey, 'ben', 2, false).map((row) => row[2]), ['@ada', '@ben', '@ben', '@cleo']);
  assert.equal(arranged(survey, '', null, false).length, 7);
});

test('an axis has round numbers and all that is drawn on it, also where all is one', () => {
  const figure = { label: '', answer: null, n: 2 };
  for (const ends of [[3, 3, 3], [0, 0, 0], [-0.02, 0.01, 0.03], [1e6, 1.2e6, 3e6]] as const) {
    const { from, to, ticks } = axisOf({ name: '', of: 'mean', missing: 0, note: '', figures: [{ ...figure, low: ends[0], value: ends[1], high: ends[2] }] });
    assert.ok(from <= ends[0] && to >= ends[2] && from < to && ticks.length >= 2 && ticks.length < 12, String(ends));
    near(ticks.at(-1) ?? null, to, Math.abs(to) * 1e-9);
  }
  assert.deepEqual([valueText(0.12345, 'share'), valueText(1234.5678, 'mean'), valueText(null, 'mean')], ['12.3 %', '1235', '']);
  assert.equal(figuresTable(swept(sweep), 'measure').rows.length, 3);
});
