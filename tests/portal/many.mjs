// A page over a town of ten thousand, each acting once in ten seconds: what it costs on the wire and in a real browser, beside its aims.
//   node tests/portal/many.mjs [SECONDS]
// A page that PORTAL_DIST lays over the binary is not compressed: its first load says nothing then.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, Server } from './kit.mjs';

const SECONDS = Number(process.argv[2] ?? 60);
const BEINGS = 10_000;

/** The town that ships, with ten thousand. */
function town(folder) {
  cpSync(join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/worlds/town'), folder, { recursive: true });
  const file = join(folder, 'world.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('count = 200', `count = ${BEINGS}`));
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const say = (what, found, aim) => console.log(`${what}: ${found} (aim: ${aim})`);

const folder = mkdtempSync(join(tmpdir(), 'reelm-many-'));
const source = process.env.MANY_WORLD;
if (!source) town(join(folder, 'town'));
const server = new Server([source ?? join(folder, 'town'), '--data', join(folder, 'world'), '--pace', process.env.MANY_PACE ?? '1']);
const browser = await Browser.launch();
try {
  await server.start();
  const page = await (await browser.context(server.base)).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('HeapProfiler.enable');
  let bytes = 0;
  cdp.on('Network.dataReceived', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  await page.goto(server.link);
  await page.getByRole('heading', { name: 'Welcome, @operator' }).waitFor();
  await page.goto(`${server.base}/#/`);
  await page.reload();
  const painted = await page.evaluate(async () => {
    const [load] = performance.getEntriesByType('navigation');
    for (;;) {
      const paint = performance.getEntriesByName('first-contentful-paint')[0];
      if (paint) return paint.startTime - load.responseStart;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  say('first paint after the first byte', `${Math.round(painted)} ms`, '1000 ms');
  const files = await page.evaluate(() => performance.getEntriesByType('resource').filter((one) => !/\/api\//.test(one.name)).reduce((sum, one) => sum + one.encodedBodySize, 0)
    + performance.getEntriesByType('navigation')[0].encodedBodySize);
  say('first load, compressed', `${Math.round(files / 1000)} KB`, '250 KB');

  const crowd = await page.evaluate(async () => {
    const begun = performance.now();
    const text = await fetch('/api/crowd?in=/').then((answer) => answer.text());
    const took = performance.now() - begun;
    const entry = performance.getEntriesByType('resource').findLast((one) => one.name.endsWith('/api/crowd?in=/'));
    return [Math.round(took), Math.round(entry.encodedBodySize / 1000), Math.round(text.length / 1000)];
  });
  console.log(`the crowd: ${crowd[0]} ms, ${crowd[1]} KB compressed of ${crowd[2]}`);

  const begin = await heap();
  const tasks = [];
  cdp.on('Tracing.dataCollected', ({ value }) => tasks.push(...value));
  const moments = () => fetchSeq(page);
  const [seq, wire] = [await moments(), bytes];
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['__metadata', 'devtools.timeline', 'devtools.timeline.frame', 'toplevel', 'disabled-by-default-devtools.timeline'] } });
  await page.waitForTimeout(SECONDS * 1000);
  const ended = new Promise((done) => { cdp.once('Tracing.tracingComplete', done); });
  await cdp.send('Tracing.end');
  await ended;
  console.log(`${((await moments() - seq) / SECONDS).toFixed(0)} moments a second happened`);
  say('on the wire', `${((bytes - wire) / SECONDS / 1000).toFixed(1)} KB a second`, '100 KB at 1,000 a second, 200 KB at 10,000');
  // What the main thread of the page works between two frames.
  const thread = ({ pid, tid }) => `${pid}/${tid}`;
  const painting = tasks.filter(({ name }) => name === 'PrePaint').sort((one, other) => one.ts - other.ts);
  const main = painting.length > 0 ? thread(painting[0]) : '';
  const own = tasks.filter((task) => task.name === 'ThreadControllerImpl::RunTask' && thread(task) === main).sort((one, other) => one.ts - other.ts);
  const work = [];
  let [spent, paint] = [0, 0];
  for (const { ts, dur = 0 } of own) {
    spent += dur / 1000;
    while (painting[paint]?.ts < ts) paint += 1;
    // A task that paints ends a frame.
    if (!(painting[paint]?.ts <= ts + dur)) continue;
    work.push(spent);
    spent = 0;
  }
  work.sort((one, other) => one - other);
  say(`a frame on the main thread, of ${work.length}`, `${at(work, 0.5).toFixed(1)} ms at the median, ${at(work, 0.95).toFixed(1)} ms at p95`, '16 ms and 33 ms');
  say('the heap', `${begin.toFixed(1)} MB at the begin, ${(await heap()).toFixed(1)} MB after ${SECONDS} s`, '150 MB after an hour');
} finally {
  await browser.close();
  await server.clear();
  rmSync(folder, { recursive: true, force: true });
}

/** How many frames there are. */
async function fetchSeq(page) {
  return (await page.evaluate(() => fetch('/api/world').then((answer) => answer.json()))).seq;
}
