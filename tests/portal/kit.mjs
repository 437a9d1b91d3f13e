// What the stories share: the real server on a world of its own, a real browser, the checks that every page must pass.
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createEndpoint } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(process.env.REELM_BIN ?? join(here, '../../target/debug/reelm'));
/** How long a condition may take to come true before the story counts as failed. */
export const PATIENCE_MS = 120_000;

/** Waits until what a page is asked comes true. (`waitForFunction` takes a promise for the truth of what it promises, and waits for nothing.) */
export async function until(page, is, arg) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(is, arg))) {
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${is}, of ${JSON.stringify(arg)}`);
    await new Promise((next) => { setTimeout(next, 20); });
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** The server on a world planted for these stories, or on one that is there; it can be stopped and started again at the same address. */
export class Server {
  #what;
  #child = null;
  #said = '';
  #folder = mkdtempSync(join(tmpdir(), 'reelm-stories-'));
  base = '';
  link = '';

  constructor(what = [join(here, 'world'), '--data', join(this.#folder, 'world'), '--worlds', join(this.#folder, 'forks'), '--pace', '40']) {
    this.#what = what;
  }

  async start() {
    if (!this.base) this.base = `http://127.0.0.1:${await freePort()}`;
    const port = new URL(this.base).port;
    this.#said = '';
    const child = spawn(binary, ['serve', ...this.#what, '--port', port], { cwd: this.#folder });
    this.#child = child;
    const ended = new Promise((_, reject) => {
      child.on('error', (error) => reject(new Error(`cannot start \`${binary}\`: ${error.message}; build it, or say with REELM_BIN where it is`)));
      child.on('exit', (code) => { if (this.#child === child) reject(new Error(`the server ended with ${code}: ${this.#said}`)); });
    });
    ended.catch(() => undefined);
    const linked = new Promise((done) => {
      const hear = (chunk) => {
        this.#said += chunk;
        const link = /https?:\/\/\S+#\/welcome\/\S+/.exec(this.#said);
        if (link) this.link = link[0];
        if (this.#said.includes(this.base)) done();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
    });
    await Promise.race([linked, ended]);
    await Promise.race([this.#answers(), ended]);
  }

  async #answers() {
    for (;;) {
      const isUp = await fetch(`${this.base}/health`).then((answer) => answer.ok, () => false);
      if (isUp) return;
      await new Promise((next) => { setTimeout(next, 5); });
    }
  }

  get isUp() {
    return this.#child !== null;
  }

  /** What `reelm survey` writes about the world, while it is served. */
  survey(instrument, ...args) {
    const [asked, table] = ['instrument.json', 'survey.csv'].map((name) => join(this.#folder, name));
    writeFileSync(asked, JSON.stringify(instrument));
    rmSync(table, { force: true });
    const { status, stderr } = spawnSync(binary, ['survey', asked, '--data', join(this.#folder, 'world'), '--out', table, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`reelm survey ended with ${status}: ${stderr}`);
    return readFileSync(table);
  }

  /** Ends it; by SIGKILL it has no time for anything. */
  async stop(signal = 'SIGINT') {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const ended = new Promise((done) => child.on('exit', done));
    child.kill(signal);
    await ended;
  }

  async clear() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** An endpoint as models have it, which answers whoever asks with a summons of the operator. It counts its words as tokens. */
export class Model {
  #server = null;
  base = '';
  /** How often it was asked. */
  asked = 0;

  async start() {
    this.#server = createEndpoint(async (request, response) => {
      let sent = '';
      for await (const chunk of request) sent += chunk;
      this.asked += 1;
      const call = { name: 'summon', arguments: JSON.stringify({ target: '@operator', content: `This is answer ${this.asked}.` }) };
      const message = { role: 'assistant', content: null, tool_calls: [{ id: `call-${this.asked}`, type: 'function', function: call }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ model: JSON.parse(sent).model, choices: [{ index: 0, finish_reason: 'tool_calls', message }], usage: { prompt_tokens: 1000, completion_tokens: 20 } }));
    });
    await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
    this.base = `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** The desk that ships, at ports that are free, with the shop that stands in for all that lies outside it. */
export class Desk extends Server {
  #shop = null;
  #folder;
  #port = 0;
  /** What the customer was told. */
  heard = '';

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'reelm-desk-'));
    super([folder, '--data', join(folder, 'world')]);
    this.#folder = folder;
    process.env.DESK_SECRET = 'a secret of the desk';
  }

  async start() {
    this.#port = await freePort();
    cpSync(join(here, '../../fixtures/worlds/desk'), this.#folder, { recursive: true });
    for (const file of ['world.toml', 'roles/clerk.md'].map((name) => join(this.#folder, name))) {
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('127.0.0.1:8765', `127.0.0.1:${this.#port}`));
    }
    this.#shop = this.#python();
    this.#shop.stdout.on('data', (said) => { this.heard += String(said); });
    await this.#says('the shop is open');
    this.heard = '';
    await super.start();
  }

  #python(...args) {
    const env = { ...process.env, SHOP_PORT: String(this.#port), DESK_URL: this.base, PYTHONUNBUFFERED: '1' };
    return spawn('python3', [join(this.#folder, 'shop.py'), ...args], { env });
  }

  async #says(words) {
    const end = Date.now() + PATIENCE_MS;
    while (!this.heard.includes(words)) {
      if (Date.now() > end) throw new Error(`the shop never said \`${words}\`, but: ${this.heard}`);
      await new Promise((next) => { setTimeout(next, 20); });
    }
  }

  /** A complaint is sent, and taken. */
  async complain() {
    const code = await new Promise((done) => { this.#python('complain').on('exit', done); });
    if (code !== 0) throw new Error('the desk did not take the complaint');
  }

  /** Waits until the customer reads the answer. */
  answered() {
    return this.#says('the customer reads:');
  }

  async clear() {
    this.#shop?.kill();
    await super.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A small part of the web: a page of prices, and whatever is sent to it said back. */
export class Shop {
  #server = null;
  host = '';

  async start() {
    this.#server = createEndpoint(async (request, response) => {
      let sent = '';
      for await (const chunk of request) sent += chunk;
      const [type, text] = request.method === 'GET' ? ['text/html', '<h1>Prices</h1><p>Tea is <b>3.50</b>'] : ['text/plain', `heard: ${sent}`];
      response.writeHead(200, { 'content-type': type });
      response.end(text);
    });
    await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
    this.host = `127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

/** A browser with nobody logged in. `PORTAL_DIST` puts a page just built in the place of the binary's own. */
export class Browser {
  #browser;
  #contexts = [];
  #wrong = [];
  /** While the server is away the browser says that it is: that is no fault of the page. */
  mayBeAway = false;
  /** Where else the stories have servers of their own. */
  others = new Set();

  static async launch() {
    const self = new Browser();
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    if (!existsSync(executablePath)) throw new Error(`no Chromium at \`${executablePath}\`: apt-get install -y --no-install-recommends chromium fonts-liberation, or say with CHROMIUM where it is`);
    self.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] });
    return self;
  }

  async context(base, options = {}) {
    const context = await this.#browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const dist = process.env.PORTAL_DIST;
    if (dist) {
      await context.route((url) => (url.origin === base || this.others.has(url.origin)) && !url.pathname.startsWith('/api'), (route) => {
        const path = new URL(route.request().url()).pathname;
        const file = join(dist, path === '/' ? 'index.html' : path);
        return existsSync(file) && statSync(file).isFile() ? route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? 'application/octet-stream' }) : route.continue();
      });
    }
    context.on('page', (page) => {
      // By whom and how something was asked that came to nothing: the console says its address alone.
      const failed = new Map();
      page.on('response', (answer) => { if (answer.status() >= 400) failed.set(answer.url(), `${answer.request().method()} on ${page.url()}`); });
      page.on('pageerror', (error) => this.#wrong.push(`page error: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        if (this.mayBeAway && /net::ERR_|Failed to load resource/.test(message.text())) return;
        const { url } = message.location();
        this.#wrong.push(`console error: ${message.text()} (${failed.get(url) ?? 'asked'}: ${url})`);
      });
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (!['data:', 'blob:', 'about:'].includes(url.protocol) && url.origin !== base && !this.others.has(url.origin)) this.#wrong.push(`a request to the outside: ${request.url()}`);
      });
    });
    this.#contexts.push(context);
    return context;
  }

  /** What went wrong since this was last asked. */
  wrong() {
    const wrong = [...new Set(this.#wrong)].slice(0, 8);
    this.#wrong = [];
    return wrong;
  }

  async close() {
    await this.#browser.close();
  }
}

/** What reaches furthest to the right, in the page: the innermost three of it. */
function widest() {
  const reaches = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right + scrollX > innerWidth);
  return reaches.slice(-3).map((each) => each.outerHTML.slice(0, 160)).join(' | ');
}

const THEMES = ['light', 'dark'];
/** How many stories were begun, and whether a page of the newest was searched for violations of accessibility. */
const begun = { stories: 0, isSearched: false };

/** A story begins: its first page is searched. */
export function storyBegins() {
  begun.stories += 1;
  begun.isSearched = false;
}

/** The themes in which the next page is searched: both, each time, where `LONG` is set; else one page of each story, light and dark in turn. */
function themes() {
  if (process.env.LONG) return THEMES;
  if (begun.isSearched) return [];
  begun.isSearched = true;
  return [THEMES[begun.stories % THEMES.length]];
}

/** The violations of accessibility of a page as it is, each as a sentence. */
export async function violationsOf(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, help, nodes }) => {
    const where = nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${(node.failureSummary ?? '').split('\n').slice(1, 2).join('').trim()}`).join(' | ');
    return `${id}: ${help}: ${where}`;
  });
}

/** No violation of accessibility; nothing wider than the window, also on a phone. */
export async function isSound(page, what) {
  const problems = [];
  for (const colorScheme of themes()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const violation of await violationsOf(page)) problems.push(`${what}, ${colorScheme}: ${violation}`);
  }
  const size = page.viewportSize();
  for (const width of [size.width, 390]) {
    await page.setViewportSize({ width, height: size.height });
    // What is drawn hears of the width, and is drawn anew.
    await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) problems.push(`${what}: ${wide} pixels wider than a window of ${width}: ${await page.evaluate(widest)}`);
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** The windows in which every page has room: one of 1440 × 900 at a zoom of 200 %, and a phone. */
const SMALL = [{ width: 720, height: 450 }, { width: 390, height: 844 }];
/** The margin below the last of a page: no more is free there. */
const MARGIN_PX = 60;
const TARGET_PX = 24;

/** All that has no room in the window as it is, each as a sentence. */
function cramped({ margin, target }) {
  const wrong = [];
  const main = document.querySelector('main');
  const tall = (what) => document.querySelector(what)?.getBoundingClientRect().height ?? 0;
  const called = (each) => `${each.tagName.toLowerCase()} “${(each.getAttribute('aria-label') ?? each.textContent ?? '').trim().slice(0, 40)}”`;
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && each.getClientRects().length > 0 && !each.closest('.hidden, .skip');
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`${wide} pixels too wide`);
  const bars = tall('.dock') + tall('body header:not(main header)');
  if (bars > innerHeight / 4) wrong.push(`header and dock take ${bars} of ${innerHeight}`);

  const pressed = [...document.querySelectorAll('a[href], button, summary, select, input, textarea')].filter((each) => isShown(each) && !each.closest('svg'));
  const boxes = pressed.map((each) => {
    const box = (each.matches('[type=checkbox], [type=radio]') ? (each.closest('label') ?? each) : each).getBoundingClientRect();
    return { each, box };
  }).filter(({ box }) => box.width > 2 && box.height > 2);
  for (const { each, box } of boxes) {
    // A link in a line of text is as tall as its line.
    if (getComputedStyle(each).display === 'inline') continue;
    if (box.width < target - 0.5 || box.height < target - 0.5) wrong.push(`${called(each)} is ${Math.round(box.width)} × ${Math.round(box.height)}`);
  }
  const inPage = boxes.filter(({ each }) => main?.contains(each) && getComputedStyle(each).display !== 'inline');
  inPage.forEach(({ each, box }, index) => inPage.slice(index + 1).forEach(({ each: other, box: next }) => {
    if (each.contains(other) || other.contains(each) || each.closest('label') && each.closest('label') === other.closest('label')) return;
    const [over, down] = [Math.min(box.right, next.right) - Math.max(box.left, next.left), Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top)];
    if (over > 2 && down > 2 && !each.closest('.places') && !other.closest('.places')) wrong.push(`${called(each)} lies on ${called(other)}`);
  }));

  scrollTo(0, document.documentElement.scrollHeight);
  if (scrollY > 0 && main) {
    const ends = [...main.querySelectorAll('*')].filter((each) => each.children.length === 0 && isShown(each)).map((each) => each.getBoundingClientRect().bottom);
    const bar = Math.min(innerHeight, ...['.dock', 'nav[aria-label="Pages"]', '.notes'].map((what) => document.querySelector(what)?.getBoundingClientRect()).filter((box) => box && box.height > 0 && box.top > innerHeight / 2).map((box) => box.top));
    const empty = Math.round(bar - Math.max(0, ...ends));
    if (empty > margin) wrong.push(`${empty} pixels of nothing below the page`);
    if (empty < -2) wrong.push(`${-empty} pixels of the page lie below the dock`);
  }
  scrollTo(0, 0);
  return wrong.slice(0, 12);
}

/** All that has no room at a zoom of 200 % or on a phone: it is too wide, lies on something, is small to hit, or scrolls to nothing. */
export async function hasRoom(page, what) {
  const size = page.viewportSize();
  const problems = [];
  for (const small of SMALL) {
    await page.setViewportSize(small);
    await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
    for (const wrong of await page.evaluate(cramped, { margin: MARGIN_PX, target: TARGET_PX })) problems.push(`${what}, ${small.width} × ${small.height}: ${wrong}`);
  }
  await page.setViewportSize(size);
  return problems;
}
