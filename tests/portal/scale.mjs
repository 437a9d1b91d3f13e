// A page over a long past: how long it takes, in a real browser over the real server, until the page shows a new state while its bar is dragged.
//   reelm bench past --longest 1000000 --keep /tmp/land && node tests/portal/scale.mjs /tmp/land
import { Browser, Server } from './kit.mjs';

const [world] = process.argv.slice(2);
if (!world) throw new Error('say which world: `node tests/portal/scale.mjs DIR`, a directory that `reelm bench past --keep DIR` left');

/** How many places the bar is dragged to, and what that may take, in milliseconds, half of the time. */
const DRAGS = 100;
const AIM_MS = 150;

const server = new Server(['--data', world, '--paused']);
const browser = await Browser.launch();
try {
  await server.start();
  const page = await (await browser.context(server.base)).newPage();
  await page.goto(server.link);
  const bar = page.getByRole('slider', { name: 'The past of this world' });
  await bar.waitFor();
  const frames = Number(await bar.getAttribute('aria-valuemax'));
  // A state is shown when the address names it, nothing is asked for any more, and it has been painted.
  await page.evaluate(() => {
    const { fetch } = window;
    window.asking = 0;
    window.fetch = (...words) => { window.asking += 1; return fetch(...words).finally(() => { window.asking -= 1; }); };
    window.shown = (before) => new Promise((done) => {
      const look = () => (location.search !== before && window.asking === 0 ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
    addEventListener('pointermove', () => { window.moved = performance.now(); }, true);
  });
  for (const [what, hash] of [['the world', '#/'], ['a space', '#/space/quarter-77'], ['a being', '#/being/citizen-77-7']]) {
    await page.evaluate((hash) => { location.hash = hash; }, hash);
    await page.waitForFunction(() => window.asking === 0);
    const box = await bar.boundingBox();
    const at = (share) => [box.x + box.width * share, box.y + box.height / 2];
    await page.mouse.move(...at(0.5));
    await page.mouse.down();
    await page.waitForFunction(() => /at=/.test(location.search) && window.asking === 0);
    const times = [];
    for (let drag = 0; drag < DRAGS; drag += 1) {
      // Places that lie anyhow, always the same.
      const before = await page.evaluate(() => location.search);
      const shown = page.evaluate((before) => window.shown(before), before);
      await page.mouse.move(...at(0.03 + 0.94 * ((drag * 0.61803398875) % 1)));
      times.push(await shown - await page.evaluate(() => window.moved));
    }
    await page.mouse.up();
    times.sort((one, other) => one - other);
    const [half, slowest] = [times[Math.floor(DRAGS / 2)], times[Math.floor(DRAGS * 0.99)]].map(Math.round);
    console.log(`dragged over ${frames} frames, ${what}: a new state after ${half} ms in the middle, ${slowest} ms at most (aim: ${AIM_MS})`);
  }
} finally {
  await browser.close();
  await server.clear();
}
