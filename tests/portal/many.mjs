// A page over a town of many: what it costs the wire, the main thread and the heap while everybody acts once in ten seconds of the world.
//   node tests/portal/many.mjs [BEINGS [SECONDS [PACE]]]
//   SHOW=FILE writes a picture of the page there, to be looked at
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, Server } from './kit.mjs';

const [beings, seconds, pace] = [[2, 10_000], [3, 60], [4, 1]].map(([place, usual]) => {
  const number = Number(process.argv[place] ?? usual);
  if (!(number > 0)) throw new Error(`expected a number above 0, found \`${process.argv[place]}\`: \`node tests/portal/many.mjs BEINGS SECONDS PACE\``);
  return number;
});
/** How often each being acts, in seconds of the world: the town's schedule. */
const EVERY = 10;
/** The name of the mark that each frame leaves in the trace. */
const FRAME = 'a frame begins';
/** The map and the bar stand: the world is drawn. */
const DRAWN = '[role="slider"]';

/** The town with so many citizens, each at its own offset. */
function town(folder) {
  const source = join(folder, 'town');
  cpSync(join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/worlds/town'), source, { recursive: true });
  const file = join(source, 'world.toml');
  const [before, count] = [readFileSync(file, 'utf8'), /^count = \d+$/m];
  if (!count.test(before)) throw new Error(`${file} has no line \`count = N\`: the town's population is planted by it`);
  writeFileSync(file, before.replace(count, `count = ${beings}`));
  return source;
}

/** What comes over the wire, by kind, as the browser counts it. */
class Wire {
  bytes = new Map();
  #kinds = new Map();

  static async on(session) {
    const self = new Wire();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => self.#kinds.set(requestId, self.#kindOf(request.url)));
    session.on('Network.responseReceived', ({ requestId, response }) => self.#add(requestId, response.encodedDataLength));
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => self.#add(requestId, encodedDataLength));
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    return self;
  }

  #kindOf(url) {
    return /\/api\/\w+/.exec(new URL(url).pathname)?.[0] ?? 'the page';
  }

  #add(id, bytes) {
    const kind = this.#kinds.get(id) ?? 'the page';
    this.bytes.set(kind, (this.bytes.get(kind) ?? 0) + bytes);
  }

  get all() {
    return [...this.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
}

/** What each frame cost the main thread, in milliseconds, from its mark to the next one's: by the clock, and of the processor alone. */
function costs(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const inTime = (events) => events.sort((one, other) => one.ts - other.ts);
  const marks = inTime(traceEvents.filter(({ name, args }) => name === 'TimeStamp' && args.data?.message === FRAME));
  const [main] = marks;
  if (!main) throw new Error('the trace holds no frame: the page was not drawn while it was measured');
  const tasks = inTime(traceEvents.filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === main.pid && tid === main.tid));
  if (tasks.length === 0) throw new Error('the trace holds no task of the main thread: this Chromium names them otherwise');
  const frames = [];
  let [next, reached] = [0, 0];
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    // A task within a task is counted with it.
    if (ts < reached) continue;
    reached = ts + dur;
    // A mark lies within the task of its frame, which counts for it.
    while (next < marks.length && marks[next].ts <= reached) {
      next += 1;
      frames.push({ clock: 0, processor: 0 });
    }
    const frame = frames.at(-1);
    if (frame) Object.assign(frame, { clock: frame.clock + dur / 1000, processor: frame.processor + tdur / 1000 });
  }
  // The last frame has no end.
  frames.pop();
  const spent = frames.reduce((sum, { clock }) => sum + clock, 0);
  const passed = (reached - main.ts) / 1000;
  if (spent > passed + Math.max(...frames.map(({ clock }) => clock))) throw new Error(`the frames cost ${spent} ms of ${passed} ms: tasks were counted twice`);
  const sorted = (key) => frames.map((frame) => frame[key]).sort((one, other) => one - other);
  return { clock: sorted('clock'), processor: sorted('processor') };
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

function say(what, found, unit, aim) {
  const round = (number) => (number < 10 ? Math.round(number * 10) / 10 : Math.round(number));
  console.log(`${what}: ${round(found)} ${unit}${aim === undefined ? '' : ` (aim: under ${aim})`}`);
}

/** Notes when the world is first drawn, in the page's own time. */
function watchDrawn(drawn) {
  const look = () => (document.querySelector(drawn) ? requestAnimationFrame((at) => { window.drawnAt = at; }) : requestAnimationFrame(look));
  requestAnimationFrame(look);
}

/** Marks each frame, from now on. */
function markFrames(name) {
  const mark = () => { console.timeStamp(name); requestAnimationFrame(mark); };
  requestAnimationFrame(mark);
}

async function firstLoad(page, wire, base) {
  await page.addInitScript(watchDrawn, DRAWN);
  await page.goto(base);
  await page.waitForFunction(() => window.drawnAt !== undefined);
  const [drawn, painted] = await page.evaluate(() => {
    const [{ responseStart }] = performance.getEntriesByType('navigation');
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    return [window.drawnAt - responseStart, painted - responseStart];
  });
  say('anything painted after the first byte', painted, 'ms');
  say('the world painted after the first byte', drawn, 'ms', 1000);
  // A page that is laid over the binary's own does not come over the wire.
  if (!process.env.PORTAL_DIST) say('the page itself, compressed', (wire.bytes.get('the page') ?? 0) / 1000, 'KB', 250);
  say('the page and what it asks first', wire.all / 1000, 'KB');
}

async function whileAllAct(page, session, wire) {
  const seq = () => page.evaluate(() => fetch('/api/world').then((answer) => answer.json()).then((world) => world.seq));
  const first = await heap(session);
  await page.evaluate(markFrames, FRAME);
  const [began, seqBegan] = [performance.now(), await seq()];
  wire.bytes.clear();
  const browser = page.context().browser();
  // A trace holds every task: of a long measurement the last minute is traced.
  const traced = Math.min(seconds, 60);
  await page.waitForTimeout((seconds - traced) * 1000);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  await page.waitForTimeout(traced * 1000);
  const took = (performance.now() - began) / 1000;
  const [all, kinds] = [wire.all, [...wire.bytes].sort(([, one], [, other]) => other - one)];
  const frames = costs(await browser.stopTracing());
  const made = (await seq() - seqBegan) / ((performance.now() - began) / 1000);
  const wanted = beings * pace / EVERY;
  console.log(`${beings} beings at ×${pace} for ${Math.round(took)} s: ${Math.round(made)} frames of the world a second (${wanted} fall due)`);
  say('on the wire', all / 1000 / took, 'KB/s', wanted > 1000 ? 200 : 100);
  for (const [kind, bytes] of kinds) say(`  ${kind}`, bytes / 1000 / took, 'KB/s');
  const at = (sorted, share) => sorted[Math.floor(sorted.length * share)];
  say(`a frame of ${frames.clock.length} costs the main thread, at the median`, at(frames.clock, 0.5), 'ms', 16);
  say('and at p95', at(frames.clock, 0.95), 'ms', 33);
  // On a busy machine the clock counts also what others take.
  say('of the processor alone, at the median', at(frames.processor, 0.5), 'ms');
  say('and at p95', at(frames.processor, 0.95), 'ms');
  say('heap after collection, at first', first, 'MB');
  say('and at the end', await heap(session), 'MB', 150);
}

const folder = mkdtempSync(join(tmpdir(), 'reelm-many-'));
const server = new Server([town(folder), '--data', join(folder, 'world'), '--pace', String(pace)]);
const browser = await Browser.launch();
try {
  await server.start();
  const context = await browser.context(server.base);
  const entrance = await context.newPage();
  await entrance.goto(server.link);
  await entrance.locator(DRAWN).first().waitFor();
  await entrance.close();
  // What the browser says before anybody is in belongs to the entrance.
  browser.wrong();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const wire = await Wire.on(session);
  await firstLoad(page, wire, server.base);
  await whileAllAct(page, session, wire);
  if (process.env.SHOW) await page.screenshot({ path: process.env.SHOW });
  for (const wrong of browser.wrong()) console.log(`wrong: ${wrong}`);
} finally {
  await browser.close();
  await server.clear();
  rmSync(folder, { recursive: true, force: true });
}
