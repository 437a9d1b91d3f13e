// The pages with the longest names and titles: in six windows, light and dark, no text lies on another, none is cut to nothing, nothing is wider than the window.
//
//     REELM_BIN=target/debug/reelm node tests/portal/fits.mjs [words of a page's name]
//     SHOW=DIR also writes a picture of each there; AXE=0 leaves out the search for violations of accessibility
//
// A text is where its letters are. What lies under something that one cannot look through is no fault, nor is what one scrolls or pans to.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, Server, until, violationsOf } from './kit.mjs';
import { ARABIC, HEBREW, longest, names } from './longest.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(process.env.REELM_BIN ?? join(here, '../../target/debug/reelm'));
const words = process.argv[2] ?? '';
/** The last is the first at a zoom of 200 %. */
const SIZES = [[1440, 900], [1200, 800], [1024, 768], [800, 900], [390, 844], [720, 450]];
/** Colours are the same in all windows: by night the widest and the narrowest are searched for violations of accessibility. */
const IN_THE_DARK = [1440, 390];
/** A text with less room than this has none, in pixels, where it wants more. */
const LEAST = 40;
/** How far two texts may lie on each other, in pixels: signs of one line reach into the next. */
const TOUCH = 2;

const square = `/${names.hall}/${names.square}`;
const path = (address) => address.split('/').map(encodeURIComponent).join('/');
const on = (address) => `?on=${encodeURIComponent(address)}`;
const FORK = names.hall.replace('hall', 'fork');
/** The pages, by name: an address, or what leads there. */
const PAGES = {
  world: '#/', place: `#/space${path(square)}`, garden: `#/space/${encodeURIComponent(ARABIC)}`, chosen: `#/${on(`@${names.walker}`)}`, thing: `#/space${path(square)}${on(`${square}/${names.box}`)}`, about: `#/${on(square)}`,
  past: { hash: '#/', at: 120 }, heard: { hash: '#/', after: 'text=Wieder' }, measures: '#/measures', moments: '#/moments', refused: { hash: '#/moment/', of: 'closing=refused' }, failed: { hash: '#/moment/', of: 'closing=failed' }, said: { hash: '#/moment/', of: 'text=Gesagt' }, being: `#/being/${names.walker}`,
  hebrew: `#/being/${encodeURIComponent(HEBREW)}`, drive: `#/drive/${names.walker}`, me: '#/me', birth: '#/birth', roles: '#/roles', role: `#/roles/${names.role}`, flow: `#/flow/${names.walker}`, stacks: `#/stacks/${path(`${names.hall}/${names.room}`)}`,
  settings: '#/settings', 'settings-of': `#/settings?of=${encodeURIComponent(square)}`, rules: '#/rules', extensions: '#/extensions', signals: '#/signals', cost: '#/cost', health: '#/health', 'health-of': `#/health${path(square)}`, outbox: '#/outbox',
  compare: '#/compare?from=60&to=140', apart: `#/compare?from=now&to=now&with=${encodeURIComponent(`/w/${FORK}/`)}`, tables: '#/tables', account: '#/account', goto: { hash: '#/', press: 'Control+k', type: 'a' }, worlds: { hash: '#/', click: '.where details > summary' }, places: { hash: '#/', click: '.places > summary' }, fork: { hash: '#/', press: 'f' }, keys: { hash: '#/', press: '?' },
  // What changes the world comes last.
  driven: { hash: `#/drive/${names.walker}`, mayClick: '.notice button.main' },
};

/** All that is wrong with how the texts of the page lie, each as a sentence. */
async function faults({ least, touch }) {
  const root = document.scrollingElement;
  const quote = (text) => `“${text.replaceAll(/\s+/g, ' ').trim().slice(0, 44)}”`;
  const styles = new Map();
  const styleOf = (each) => { if (!styles.has(each)) styles.set(each, getComputedStyle(each)); return styles.get(each); };
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !each.closest('.hidden, .skip, option, title, desc, defs, [popover]:not(:popover-open)');
  const isClipped = (each) => styleOf(each).clipPath.startsWith('inset(50%');
  const brush = new OffscreenCanvas(1, 1).getContext('2d');

  /** What cuts an element: all around it that hides what reaches out. Those that one scrolls or pans are told apart. */
  const cutsOf = (each) => {
    const cuts = [];
    let place = styleOf(each).position;
    for (let around = each; around && around !== document.documentElement; around = around.parentElement) {
      const style = styleOf(around);
      const isHolder = around === each || !(place === 'fixed' || (place === 'absolute' && style.position === 'static'));
      if (isHolder && around !== document.body && style.display !== 'inline' && style.overflowX !== 'visible' && !(around instanceof SVGElement && around.tagName !== 'svg')) {
        const isMoved = /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`) || around.matches('.drawing, svg');
        cuts.push({ around, isMoved });
      }
      if (isHolder && around !== each) place = style.position;
      else if (around === each) place = style.position;
    }
    return cuts;
  };
  const within = (box, cut) => ({ left: Math.max(box.left, cut.left), right: Math.min(box.right, cut.right), top: Math.max(box.top, cut.top), bottom: Math.min(box.bottom, cut.bottom) });
  const isEmpty = ({ left, right, top, bottom }) => right - left < 1 || bottom - top < 1;

  // ---- all texts, where their letters are
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const each = node.parentElement;
    if (node.data.trim() === '' || !each || each.closest('script, style') || !isShown(each)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const raw = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    texts.push({ text: node.data, each, raw });
  }
  for (const each of document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=range], [type=hidden], [type=file]), select, textarea')) {
    if (isShown(each)) texts.push({ text: each.value || each.placeholder || each.getAttribute('aria-label') || each.id || each.tagName, each, raw: [each.getBoundingClientRect()], isField: true });
  }

  const wrong = [];
  const shown = [];
  for (const text of texts) {
    const { each, raw, isField } = text;
    const cuts = cutsOf(each);
    if (cuts.some(({ around }) => isClipped(around)) || [...cuts].some(({ around }) => around.clientWidth <= 1 && around.clientHeight <= 1 && styleOf(around).position === 'absolute')) continue;
    const style = styleOf(each);
    const size = parseFloat(style.fontSize) * (each instanceof SVGElement ? (each.getScreenCTM?.()?.a ?? 1) : 1);
    brush.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const scale = each instanceof SVGElement ? (each.getScreenCTM?.()?.a ?? 1) : 1;
    const natural = isField ? Infinity : brush.measureText(text.text.replaceAll(/\s+/g, ' ').trim()).width * scale;
    // ---- how much room it has beside what one scrolls to
    let [left, right] = [Infinity, -Infinity];
    for (const box of raw) {
      const kept = cuts.filter(({ isMoved }) => !isMoved).reduce((box, { around }) => within(box, { ...limits(around), top: -1e6, bottom: 1e6 }), box);
      if (kept.right <= kept.left) continue;
      [left, right] = [Math.min(left, kept.left), Math.max(right, kept.right)];
    }
    const room = Math.max(0, right - left);
    const isCutShort = each instanceof SVGElement && /…$/.test(text.text) && natural < least;
    if ((room < least - 0.5 && natural >= least && !(each instanceof SVGElement)) || isCutShort) wrong.push(`${quote(text.text)} has ${Math.round(isCutShort ? natural : room)} px of room`);
    // ---- where one sees it
    for (const box of raw) {
      const seen = cuts.reduce((seen, { around }) => within(seen, limits(around)), within(box, box));
      if (isEmpty(seen)) continue;
      if (seen.right > innerWidth + 1 || seen.left < -1) wrong.push(`${quote(text.text)} reaches beyond the window, from ${Math.round(seen.left)} to ${Math.round(seen.right)}`);
      const middle = (box.top + box.bottom) / 2;
      // The room of a line is higher than its letters.
      const letters = isField ? seen : { ...seen, top: Math.max(seen.top, middle - size * 0.36), bottom: Math.min(seen.bottom, middle + size * 0.36) };
      if (!isEmpty(letters)) shown.push({ ...text, box: letters, range: box });
    }
    // ---- what is cut ends in … and can be had whole, by a press
    if (isField || each instanceof SVGElement) continue;
    const cut = cuts.filter(({ around, isMoved }) => !isMoved && raw.some((box) => {
      const to = limits(around);
      return box.right > to.right + 3 || box.left < to.left - 3 || (styleOf(around).webkitLineClamp !== 'none' && (box.bottom > to.bottom + size / 2 || box.top < to.top - size / 2));
    })).sort((one, other) => limits(one.around).right - limits(one.around).left - limits(other.around).right + limits(other.around).left)[0]?.around;
    if (!cut) continue;
    if (styleOf(cut).textOverflow !== 'ellipsis' && styleOf(cut).webkitLineClamp === 'none') wrong.push(`${quote(text.text)} is cut without a …`);
    if (style.cursor !== 'pointer') wrong.push(`${quote(text.text)} is cut, and no press shows it whole`);
  }
  function limits(around) {
    const box = around.getBoundingClientRect();
    return { left: box.left + around.clientLeft, right: box.left + around.clientLeft + (around.clientWidth || box.width), top: box.top + around.clientTop, bottom: box.top + around.clientTop + (around.clientHeight || box.height) };
  }

  // ---- no two of them lie on each other
  const over = document.createElement('style');
  over.textContent = '* { pointer-events: auto !important; }';
  document.head.append(over);
  const isOpaque = (each) => {
    const style = styleOf(each);
    if (each instanceof SVGGeometryElement) return style.fill !== 'none' && Number(style.fillOpacity) > 0.85 && Number(style.opacity) > 0.85 && !/, 0\)$|transparent/.test(style.fill);
    if (each instanceof SVGElement && each.tagName !== 'svg') return false;
    const alpha = /^rgba\(.*, ([\d.]+)\)$|\/ ([\d.]+)\)$/.exec(style.backgroundColor);
    return each instanceof HTMLCanvasElement ? false : style.backgroundColor !== 'transparent' && Number(alpha?.[1] ?? alpha?.[2] ?? 1) > 0.85;
  };
  const start = root.scrollTop;
  shown.sort((one, other) => one.box.top - other.box.top);
  const told = new Set();
  shown.forEach((one, index) => {
    for (let next = index + 1; next < shown.length && shown[next].box.top < one.box.bottom - touch; next += 1) {
      const other = shown[next];
      if (one.each === other.each && one.text === other.text) continue;
      if (one.each.contains(other.each) && other.isField || other.each.contains(one.each) && one.isField) continue;
      const [wide, high] = [Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left), Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)];
      if (wide <= touch || high <= touch) continue;
      const said = `${quote(one.text)} lies on ${quote(other.text)}, by ${Math.round(wide)} × ${Math.round(high)} px`;
      if (told.has(said)) continue;
      // Whichever lies below may be covered: from top to bottom, something that one cannot see through comes before its element.
      const [x, y] = [Math.max(one.box.left, other.box.left) + wide / 2, Math.max(one.box.top, other.box.top) + high / 2];
      let shift = 0;
      if (y < 0 || y >= innerHeight) {
        const before = root.scrollTop;
        root.scrollTop += y - innerHeight / 2;
        shift = root.scrollTop - before;
        // What stands still while the page scrolls lies on it elsewhere.
        if (Math.abs(one.each.getBoundingClientRect().top - other.each.getBoundingClientRect().top) > 1e5) { root.scrollTop = start; continue; }
      }
      const pile = document.elementsFromPoint(x, y - shift);
      root.scrollTop = start;
      const depth = ({ each }) => pile.findIndex((found) => found === each || each.contains(found) && found instanceof SVGElement);
      const [first, second] = [depth(one), depth(other)];
      if (first < 0 || second < 0) continue;
      const [upper, lower] = first < second ? [one, other] : [other, one];
      const covers = pile.slice(0, Math.max(first, second)).some((found) => isOpaque(found) && !found.contains(lower.each) && (found === upper.each || found.contains(upper.each) || !upper.each.contains(found)));
      if (covers) continue;
      told.add(said);
      wrong.push(said);
    }
  });
  over.remove();
  const wide = root.scrollWidth - innerWidth;
  if (wide > 0) {
    const reaches = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5).slice(-2).map((each) => each.outerHTML.slice(0, 120));
    wrong.push(`${wide} px wider than the window: ${reaches.join(' | ')}`);
  }
  return [...new Set(wrong)];
}

const folder = mkdtempSync(join(tmpdir(), 'reelm-fits-'));
const data = join(folder, 'world');
const ran = spawnSync(binary, ['run', longest(join(folder, 'source')), '--for', '2h', '--data', data], { encoding: 'utf8' });
assert.equal(ran.status, 0, ran.stderr);
const server = new Server(['--data', data, '--paused', '--worlds', `${data}-forks`]);
const browser = await Browser.launch();
const problems = new Map();
let looked = 0;
let page;
/** What was asked for and has not come; a stream never ends. */
const waiting = new Set();
const note = (what, where) => problems.set(what, [...(problems.get(what) ?? []), where]);

/** Waits until all that was asked for has come and is drawn. */
async function drawn() {
  await page.evaluate(() => document.fonts.ready);
  for (let calm = 0; calm < 3; calm = waiting.size === 0 ? calm + 1 : 0) {
    await page.evaluate(() => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); }));
    await page.waitForTimeout(30);
  }
}

/** The newest moment that a search finds. */
async function newest(search) {
  const { moments: [found] } = await page.evaluate(async (search) => (await fetch(`/api/moments?${search}&limit=1`)).json(), search);
  assert.ok(found, `the world has a moment with ${search}`);
  return found.seq;
}

/** Opens a page, and what is to stand open on it. */
async function open(what) {
  const { hash, of, after, press, click, mayClick, type, ...rest } = typeof what === 'string' ? { hash: what } : what;
  const seq = of ? await newest(of) : '';
  const at = after ? (await newest(after)) + 1 : rest.at;
  await page.goto('about:blank');
  await page.goto(`${server.base}/${at ? `?at=${at}` : ''}${hash}${seq}`);
  await page.locator('main h1, main h2').first().waitFor();
  if (at) await page.waitForFunction(() => document.documentElement.hasAttribute('data-past'));
  await drawn();
  if (press) await page.keyboard.press(press);
  if (type) await page.keyboard.type(type);
  if (click) await page.locator(click).first().click();
  if (mayClick && (await page.locator(mayClick).count()) > 0) await page.locator(mayClick).first().click();
}

try {
  await server.start();
  const context = await browser.context(server.base, { reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('request', (request) => { if (!/\/api\/(events|changes)/.test(request.url())) waiting.add(request); });
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => waiting.delete(request));
  browser.mayBeAway = true;
  await page.goto(server.link);
  await until(page, async () => !(await (await fetch('/api/session')).json()).visitor);
  await page.goto(`${server.base}/#/`);
  // A world beside it, and its operator in this browser.
  const { link } = await page.evaluate(async (body) => (await fetch('/api/fork', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json(), JSON.stringify({ name: FORK, at: '100' }));
  await page.goto(new URL(link, server.base).href);
  await until(page, async () => !(await (await fetch('api/session')).json()).visitor);
  for (const [name, what] of Object.entries(PAGES).filter(([name]) => name.includes(words))) {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(what);
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await drawn();
        const where = `${width}${colorScheme === 'dark' ? ' dark' : ''}`;
        for (const wrong of await page.evaluate(faults, { least: LEAST, touch: TOUCH })) note(`${name}: ${wrong}`, where);
        if (process.env.AXE !== '0' && (colorScheme === 'light' || IN_THE_DARK.includes(width))) for (const wrong of await violationsOf(page)) note(`${name}: ${wrong}`, where);
        if (process.env.SHOW) { mkdirSync(process.env.SHOW, { recursive: true }); await page.screenshot({ path: join(process.env.SHOW, `${name}-${width}-${colorScheme}.png`) }); }
        looked += 1;
      }
    }
  }
  console.log(`${looked} looks at ${looked / SIZES.length / 2} pages, ${problems.size} faults`);
} finally {
  await browser.close();
  await server.clear();
  rmSync(folder, { recursive: true, force: true });
}
if (problems.size > 0) {
  for (const [what, where] of problems) console.error(`${what} (${where.join(', ')})`);
  process.exit(1);
}
