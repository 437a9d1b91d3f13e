// The pages as pictures: each in four sizes, light and dark, held to how it looked before; and ten things of the factory, small and grey, told apart.
//
//     REELM_BIN=target/debug/reelm node tests/portal/pictures.mjs [words of a page's name]
//     REMAKE=1 … takes the pictures anew; SHOW=DIR also writes them there, to be looked at
//
// A picture is kept as the mean colours of its squares of eight pixels. Where one colour changes, or something moves by two pixels, squares change.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Browser, Server, until } from './kit.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const kept = join(here, 'pictures');
const failed = join(here, 'failed');
const SIZES = [[1440, 900], [1024, 768], [800, 900], [390, 844]];
const PAGES = {
  world: '#/', place: '#/space/factory/line', chosen: '#/?on=@sana', past: '#/@300', moments: '#/moments', moment: '#/moment/118', being: '#/being/sana', birth: '#/birth', roles: '#/roles', role: '#/roles/skateco:presser',
  flow: '#/flow/sana', signals: '#/signals', cost: '#/cost', settings: '#/settings', account: '#/account', tables: '#/tables', drive: '#/me',
};
/** A square, in pixels; how much its mean may differ, of 255; how many squares may differ more. */
const SQUARE = 8;
const NEAR = 5;
const OTHERS_MAX = 6;
/** How many pictures in a row are alike before one of them is kept. */
const STILL = 6;
/** How long a page has to look as before, in milliseconds. */
const LATE = 4000;
/** How much two things that are told apart differ at least, of 255 a pixel. */
const ALIKE = 8;

const words = process.argv[2] ?? '';
const binary = resolve(process.env.REELM_BIN ?? join(here, '../../target/debug/reelm'));
const data = join(mkdtempSync(join(tmpdir(), 'reelm-pictures-')), 'world');
// The same day for everybody: simulated, by its seed.
const ran = spawnSync(binary, ['run', join(here, '../../fixtures/worlds/skateco'), '--for', '2h', '--data', data], { encoding: 'utf8' });
assert.equal(ran.status, 0, ran.stderr);
const server = new Server(['--data', data, '--paused', '--worlds', `${data}-forks`]);
const browser = await Browser.launch();
const problems = [];
let page;
/** What was asked for and has not come; a stream never ends. */
const waiting = new Set();

/** The mean colours of a picture's squares. */
const squares = (page, png) => page.evaluate(async ([png, side]) => {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))]));
  const [columns, rows] = [Math.ceil(picture.width / side), Math.ceil(picture.height / side)];
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const brush = canvas.getContext('2d');
  brush.drawImage(picture, 0, 0);
  const { data } = brush.getImageData(0, 0, picture.width, picture.height);
  const sums = new Float64Array(columns * rows * 4);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const [from, to] = [(y * picture.width + x) * 4, (Math.floor(y / side) * columns + Math.floor(x / side)) * 4];
      for (let part = 0; part < 3; part += 1) sums[to + part] += data[from + part];
      sums[to + 3] += 1;
    }
  }
  const means = [];
  for (let at = 0; at < columns * rows; at += 1) for (let part = 0; part < 3; part += 1) means.push(Math.round(sums[at * 4 + part] / sums[at * 4 + 3]));
  return { columns, rows, means };
}, [png.toString('base64'), SQUARE]);

const bytesOf = ({ columns, rows, means }) => Buffer.from([columns & 255, columns >> 8, rows & 255, rows >> 8, ...means]);

/** A picture once all that was asked for came and so many in a row are alike; one that is to be as before has some seconds to become it. */
async function settled(name) {
  const end = Date.now() + LATE;
  for (let last = Buffer.alloc(0), alike = 0; ; ) {
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide', mask: [page.getByText(/^since \d{4}-/)], maskColor: '#888' });
    const now = await squares(page, png);
    const others = process.env.REMAKE ? [] : compared(name, now);
    alike = waiting.size === 0 && bytesOf(now).equals(last) ? alike + 1 : 0;
    if (alike >= (process.env.REMAKE ? STILL : 1) && (others.length <= OTHERS_MAX || Date.now() > end)) {
      if (process.env.REMAKE) keep(name, now);
      return { png, others };
    }
    last = bytesOf(now);
    await page.waitForTimeout(150);
  }
}

function keep(name, now) {
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, `${name}.gz`), gzipSync(bytesOf(now), { level: 9 }));
}

/** What differs between a picture and the one that is kept. */
function compared(name, now) {
  const file = join(kept, `${name}.gz`);
  const bytes = bytesOf(now);
  // A page that has no picture yet, or one of another size, is other as a whole.
  const before = existsSync(file) ? gunzipSync(readFileSync(file)) : Buffer.alloc(0);
  if (before.length !== bytes.length) return Array.from({ length: now.columns * now.rows }, (_, at) => [at % now.columns, Math.floor(at / now.columns)]);
  const others = [];
  for (let at = 4; at < bytes.length; at += 3) {
    if ([0, 1, 2].some((part) => Math.abs(bytes[at + part] - before[at + part]) > NEAR)) others.push([((at - 4) / 3) % now.columns, Math.floor((at - 4) / 3 / now.columns)]);
  }
  return others;
}

/** Ten things of the factory at 24 pixels, in grey: how far the two most alike are apart. */
async function toldApart(page) {
  await page.goto(`${server.base}/#/`);
  await page.locator('.matter').first().waitFor();
  const drawn = await page.evaluate(() => {
    const pictures = {};
    const take = (name, drawing) => {
      const { x, y, width, height } = drawing.getBBox();
      pictures[name] = { box: [x, y, width, height].join(' '), svg: drawing.innerHTML };
    };
    for (const each of document.querySelectorAll('.matter')) take(each.getAttribute('aria-label'), each.querySelector('g'));
    for (const each of document.querySelectorAll('.piece')) take(each.querySelector('title').textContent.split(' ')[0], each);
    return pictures;
  });
  const names = Object.keys(drawn);
  assert.ok(names.length >= 9, `the factory shows its things: ${names.join(', ')}`);
  const grey = await page.evaluate(async (drawn) => {
    const style = getComputedStyle(document.documentElement);
    const pictures = {};
    for (const [name, { box, svg }] of Object.entries(drawn)) {
      const plain = svg.replace(/var\((--[\w-]+)(?:, *var\((--[\w-]+)\))?\)/g, (_, one, other) => {
        const said = style.getPropertyValue(one).trim() || style.getPropertyValue(other ?? '').trim();
        return /^light-dark\((.+),\s*[^,]+\)$/.exec(said)?.[1] ?? said;
      });
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="${box}">${plain}</svg>`)}`;
      await image.decode();
      const brush = new OffscreenCanvas(24, 24).getContext('2d');
      brush.fillStyle = '#fff';
      brush.fillRect(0, 0, 24, 24);
      brush.drawImage(image, 0, 0);
      const { data } = brush.getImageData(0, 0, 24, 24);
      pictures[name] = Array.from({ length: 576 }, (_, at) => 0.299 * data[at * 4] + 0.587 * data[at * 4 + 1] + 0.114 * data[at * 4 + 2]);
    }
    return pictures;
  }, drawn);
  let least = ['', '', Infinity];
  names.forEach((one, at) => names.slice(at + 1).forEach((other) => {
    const far = grey[one].reduce((sum, value, index) => sum + Math.abs(value - grey[other][index]), 0) / 576;
    if (far < least[2]) least = [one, other, far];
  }));
  console.log(`things told apart at 24 pixels in grey: ${names.length}; the most alike, ${least[0]} and ${least[1]}, differ by ${least[2].toFixed(1)} of 255 a pixel`);
  if (least[2] < ALIKE) problems.push(`${least[0]} and ${least[1]} look alike: ${least[2].toFixed(1)} of 255 a pixel`);
}

try {
  await server.start();
  rmSync(failed, { recursive: true, force: true });
  const context = await browser.context(server.base, { reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('request', (request) => { if (!/\/api\/events/.test(request.url())) waiting.add(request); });
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => waiting.delete(request));
  browser.mayBeAway = true;
  await page.goto(server.link);
  await until(page, async () => !(await (await fetch('/api/session')).json()).visitor);
  let taken = 0;
  for (const [name, hash] of Object.entries(PAGES).filter(([name]) => name.includes(words))) {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        const at = /@(\d+)$/.exec(hash)?.[1];
        await page.goto(`${server.base}/${at ? `?at=${at}` : ''}${at ? hash.slice(0, hash.indexOf('@')) : hash}`);
        await page.reload();
        await page.locator('main h1, main h2').first().waitFor();
        if (at) await page.waitForFunction(() => document.documentElement.hasAttribute('data-past'));
        await page.evaluate(() => document.fonts.ready);
        await page.waitForLoadState('load');
        const which = `${name}-${width}-${colorScheme}`;
        const { png, others } = await settled(which);
        if (process.env.SHOW) { mkdirSync(process.env.SHOW, { recursive: true }); writeFileSync(join(process.env.SHOW, `${which}.png`), png); }
        taken += 1;
        if (others.length > OTHERS_MAX) {
          mkdirSync(failed, { recursive: true });
          writeFileSync(join(failed, `${which}.png`), png);
          const [xs, ys] = [others.map(([x]) => x * SQUARE), others.map(([, y]) => y * SQUARE)];
          problems.push(`${which}: ${others.length} squares are other, from ${Math.min(...xs)}, ${Math.min(...ys)} to ${Math.max(...xs) + SQUARE}, ${Math.max(...ys) + SQUARE}; it is kept as tests/portal/failed/${which}.png`);
        }
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (!words) await toldApart(page);
  console.log(`${taken} pictures, ${problems.length} other than before`);
} finally {
  await browser.close();
  await server.clear();
  rmSync(dirname(data), { recursive: true, force: true });
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
