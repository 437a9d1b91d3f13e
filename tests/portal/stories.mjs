// The stories of the portal, end to end: a real browser, the real server, a world of their own. One line a story.
//
//     REELM_BIN=target/debug/reelm node tests/portal/stories.mjs [words of a story's name, `|` between several]
//
// With LONG=1 every page is searched for violations of accessibility, light and dark; without, one of each story.
//
// Everything waits for conditions, nothing for time. A page error, a console error or a request to the outside fails the story it falls in.
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hands } from './hands.mjs';
import { Browser, Desk, hasRoom, isSound, Model, Server, Shop, storyBegins, until } from './kit.mjs';

/** Where pages are kept as they looked when their story failed. */
const failures = join(dirname(fileURLToPath(import.meta.url)), 'failed');
rmSync(failures, { recursive: true, force: true });

const server = new Server();
const model = new Model();
const browser = await Browser.launch();
const stories = [];
const story = (name, tell) => stories.push({ name, tell });

/** The operator's window, used by all stories in turn. */
let context;
let page;
const at = (hash) => `${server.base}/${hash}`;
const open = async (hash, on = page) => {
  await on.goto(at(hash));
};
const api = (path) => page.evaluate(async (path) => (await fetch(path)).json(), path);
const act = (path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(), [path, body]);
/** Lets somebody in, in this browser, past its pages: one that sees who is in now loads itself anew, and would take a request of its own along. */
const login = async (being, password) => (await context.request.post(`${server.base}/api/session`, { data: { being, password } })).status();
const PASSWORD = 'a long enough secret';
/** The tree of spaces, which lies behind a button of the map. */
const spaces = async (on = page) => {
  await on.getByText('Places', { exact: true }).click();
  return on.getByRole('navigation', { name: 'Spaces' });
};
const card = (name, on = page) => on.getByRole('region', { name });
/** Pip's page once he has lived some moments and the world stands still, with the bar of the past. */
const pipsLife = async () => {
  await open('#/being/pip');
  await act('/api/clock', { do: 'go' });
  await until(page, async () => (await (await fetch('/api/moments?being=pip')).json()).moments.length > 8);
  await act('/api/clock', { do: 'pause' });
  await page.reload();
  const dock = card('Timeline');
  const slider = dock.getByRole('slider', { name: 'The past of this world' });
  await slider.waitFor();
  return { dock, slider };
};
/** Opens what the timeline keeps at hand: a point, the speed, from how near. */
const more = async (dock) => {
  if ((await dock.locator('.more').getAttribute('open')) === null) await dock.locator('.more > summary').click();
};
/** Publishes the role that is open, everywhere or in one space. */
const publish = async (space = null, label = '') => {
  await page.getByRole('button', { name: 'Publish the role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(space ? /in one space first/ : 'everywhere').check();
  if (space) await dialog.getByLabel('The space', { exact: true }).selectOption(space);
  await dialog.getByLabel(/What this version is called/).fill(label);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await isGone(dialog);
};
/** A clause is a sentence until somebody takes it up. */
const clause = (index) => page.getByRole('button', { name: new RegExp(`^Change clause ${index}: `) });
/** A page of whoever drives, checked while the world stands still: the checks hold a slow browser up for longer than a lease lasts. */
const isSoundDriven = async (tab, what) => {
  await act('/api/clock', { do: 'pause' });
  await isSound(tab, what);
  await act('/api/clock', { do: 'go' });
};
const is = async (locator) => locator.waitFor({ state: 'visible' });
const isGone = async (locator) => locator.waitFor({ state: 'detached' });

story('a visitor is told what this is and how to come in, and nothing is asked that they may not know', async () => {
  const other = await browser.context(server.base);
  const stranger = await other.newPage();
  await open('#/', stranger);
  const { name, time } = await (await fetch(`${server.base}/api/world`)).json();
  await is(stranger.getByRole('heading', { level: 1, name, exact: true }));
  await is(stranger.getByRole('heading', { name: 'Come in' }));
  await is(stranger.getByText(String(Number(time.slice(0, 4)))).first());
  await is(stranger.getByText('Whoever started this world has a link'));
  assert.equal(await stranger.getByRole('navigation').count(), 0);
  assert.equal(await stranger.getByText(/Nothing has happened|No moments/).count(), 0);
  await isSound(stranger, 'world from outside');
  await open('#/login', stranger);
  await is(stranger.getByRole('heading', { name: 'Come in' }));
  browser.mayBeAway = true; // a wrong password is a 401, which the browser reports
  await stranger.getByLabel('Your being').fill('@mira');
  await stranger.getByLabel('Password').fill('not the password');
  await stranger.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(stranger.getByText('This name and password do not belong together.'));
  browser.mayBeAway = false;
  await other.close();
});

story('the one-time link lets the operator in, once, and a password lets them come back', async () => {
  await page.goto(server.link);
  await page.waitForURL(at('#/'));
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  await is(page.getByRole('banner').getByRole('link', { name: /@operator/ }));
  // A password is a suggestion that one can do without.
  const reminder = page.getByText('You came in by a link, which is used.');
  await is(reminder);
  await isSound(page, 'world by a link');
  await page.getByRole('button', { name: 'Do not remind me of a password' }).click();
  await isGone(reminder);
  // The map is the hero: more than half of the window is its.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  const share = await page.getByRole('region', { name: 'Map of the world' }).evaluate((map) => (map.clientWidth * map.clientHeight) / (innerWidth * innerHeight));
  assert.ok(share > 0.5, `the map has ${Math.round(100 * share)} % of the window`);
  await page.setViewportSize(size);
  await page.reload();
  await is(page.getByRole('banner').getByRole('link', { name: /@operator/ }));
  assert.equal(await reminder.count(), 0);
  await open('#/account');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await is(card('Password').getByRole('heading', { name: 'Change the password' }));
  // Whoever is in already, in this tab or in another, is told so and goes on to the world.
  browser.mayBeAway = true;
  const again = await context.newPage();
  await again.goto(server.link);
  await is(again.getByText('You are in, as @operator'));
  await again.waitForURL(at('#/'));
  await is(again.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  // Whoever loads the page anew while they come in asks for nothing that was spent.
  browser.mayBeAway = false;
  await again.goto('about:blank');
  await again.goto(at('#/welcome/'));
  await again.waitForURL(at('#/'));
  await again.close();
  browser.mayBeAway = true;
  const other = await browser.context(server.base);
  const second = await other.newPage();
  await second.goto(server.link);
  await is(second.getByRole('heading', { name: 'This link does not let you in' }));
  await is(second.getByText('This link has been used already'));
  await open('#/login', second);
  await second.getByLabel('Your being').fill('operator');
  await second.getByLabel('Password').fill(PASSWORD);
  await second.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(second.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await other.close();
});

story('where others reach the server, whoever comes by the link sets a password before anything else', async () => {
  const wide = new Server([join(dirname(fileURLToPath(import.meta.url)), 'world'), '--data', 'wide', '--paused', '--host', 'reelm.example']);
  await wide.start();
  const other = await browser.context(wide.base);
  const tab = await other.newPage();
  await tab.goto(wide.link);
  await is(tab.getByRole('heading', { name: 'Set a password, @operator' }));
  await isSound(tab, 'a password first');
  // No address leads past it, and nothing is asked that would be refused.
  await tab.goto(`${wide.base}/#/roles`);
  await is(tab.getByRole('heading', { name: 'Set a password, @operator' }));
  assert.equal(await tab.getByRole('navigation').count(), 0);
  assert.equal(await tab.evaluate(async () => (await fetch('/api/session')).ok), true);
  await tab.getByLabel('New password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Set the password' }).click();
  await is(tab.getByRole('heading', { level: 1, name: 'Roles' }));
  await other.close();
  await wide.clear();
});

story('a visitor sees what the world shows to visitors, and is told why there is nothing more', async () => {
  const before = (await api('/api/roles/arrival')).role;
  const arrival = (role) => act('/api/do', { target: '/', action: 'role.set', args: { name: 'arrival', role } });
  const other = await browser.context(server.base);
  const stranger = await other.newPage();
  await open('#/', stranger);
  await is(stranger.getByRole('heading', { name: 'Come in' }));
  await arrival({ name: 'arrival', canSee: ['/', '/garden'] });
  await stranger.reload();
  await is(stranger.getByRole('heading', { name: 'You look on as a visitor' }));
  await is(await spaces(stranger));
  assert.equal(await stranger.getByText('Nothing has happened').count(), 0);
  await isSound(stranger, 'world as a visitor');
  // The operator shows nothing any more, and the page says so by itself.
  await arrival(before);
  await is(stranger.getByRole('heading', { name: 'Come in' }));
  await other.close();
});

story('a session that has ended says so, and whoever comes in again goes on where they were', async () => {
  browser.mayBeAway = true; // what a visitor may not see is a 403, which the browser reports
  const other = await browser.context(server.base);
  const [tab, beside] = [await other.newPage(), await other.newPage()];
  const login = async (on) => {
    await on.getByLabel('Password').fill(PASSWORD);
    await on.locator('main').getByRole('button', { name: 'Log in' }).click();
  };
  const isIn = (on) => is(on.getByRole('banner').getByRole('link', { name: /@operator/ }));
  const said = (on) => on.getByRole('alert').filter({ hasText: 'Your session as @operator has ended.' });
  const hasEnded = (on) => is(said(on));
  await open('#/login', tab);
  await tab.getByLabel('Your being').fill('operator');
  await login(tab);
  await isIn(tab);
  await open('#/signals', tab);
  await open('#/roles', beside);
  await isIn(beside);
  // It is closed from elsewhere: each of its tabs says so by itself.
  const close = () => page.evaluate(async () => {
    for (const { id, current } of await (await fetch('/api/sessions')).json()) if (!current) await fetch(`/api/sessions/${id}`, { method: 'DELETE' });
  });
  await open('#/account');
  await close();
  await hasEnded(tab);
  await hasEnded(beside);
  await isSound(tab, 'a session that has ended');
  assert.equal(await tab.getByLabel('Your being').inputValue(), 'operator');
  await login(tab);
  await isIn(tab);
  await tab.waitForURL(at('#/signals'));
  await isGone(said(tab));
  // A page that is opened later knows it too; whoever goes by themselves is not reminded.
  await beside.close();
  await tab.goto('about:blank');
  await close();
  await open('#/roles', tab);
  await hasEnded(tab);
  await tab.getByRole('button', { name: 'Put this away' }).click();
  await isGone(said(tab));
  await tab.reload();
  await is(tab.getByRole('heading', { name: 'Come in' }));
  assert.equal(await said(tab).count(), 0);
  await other.close();
  await open('#/');
});

story('two servers on one machine keep one browser logged in to both', async () => {
  const second = new Server();
  await second.start();
  browser.others.add(second.base);
  const tab = await context.newPage();
  await tab.goto(second.link);
  await is(tab.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await open('#/account');
  await is(card('Sessions').getByText('this one'));
  await tab.reload();
  await is(tab.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await tab.close();
  await second.clear();
});

story('one watches a simulated world move', async () => {
  await open('#/');
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  await isSound(page, 'world');
  await (await spaces()).getByRole('link', { name: /square/ }).click();
  const pip = page.locator('svg a.being[aria-label^="pip"]');
  await pip.waitFor();
  const before = await pip.getAttribute('aria-label');
  await page.waitForFunction((before) => document.querySelector('svg a.being[aria-label^="pip"]')?.getAttribute('aria-label') !== before, before);
  await is(page.locator('.bubble').first());
  // Pause stands still, a step moves it by one round, go lets it run.
  await page.getByRole('button', { name: 'Pause the world' }).click();
  await is(page.getByRole('group', { name: 'Clock of the world' }).getByText('paused', { exact: true }));
  const { seq } = await api('/api/world');
  await page.getByRole('button', { name: 'Take one step' }).click();
  await until(page, async (seq) => (await (await fetch('/api/world')).json()).seq > seq, seq);
  await is(page.getByRole('button', { name: 'Let the world go on' }));
  await page.getByRole('button', { name: 'Let the world go on' }).click();
  await is(page.getByRole('button', { name: 'Pause the world' }));
  await page.getByLabel('More of the clock').click();
  await page.getByLabel('Pace, 0.01 to 600').fill('50');
  await page.getByLabel('Pace, 0.01 to 600').press('Enter');
  await until(page, async () => /50/.test((await (await fetch('/api/world')).json()).clock.pace));
  // The panel of whatever one chooses, with all that may be done.
  await page.locator('svg a.matter[aria-label^="fountain"]').click();
  const panel = card('Panel of /square/fountain');
  await is(panel.getByText('Water, and a duck'));
  // Of many deeds those that are seldom done here stand behind a fold; all are found by a few letters.
  await is(panel.getByText(/^What is seldom done here \(\d+\)$/));
  await panel.getByLabel('Find an action').fill('quality.s');
  await panel.getByText('quality.set', { exact: true }).click();
  const form = panel.locator('details[open]').filter({ hasText: 'quality.set' });
  await form.getByLabel('path', { exact: true }).fill('water.depth');
  await form.getByLabel('value', { exact: true }).fill('3');
  await form.getByRole('button', { name: 'Do it' }).click();
  await is(panel.getByText('depth', { exact: true }));
  await isSound(page, 'space with a panel');
  // What becomes frequent while one writes stays where it is, with what one has written.
  await panel.getByLabel('Find an action').fill('');
  // By keyboard: what happens in the world may move a line under the pointer.
  await panel.getByText(/^What is seldom done here/).press('Enter');
  const seldom = panel.locator('.more details').filter({ hasText: 'quality.inc' });
  await seldom.locator('summary').press('Enter');
  await seldom.getByLabel('path', { exact: true }).fill('water.warmth');
  await act('/api/do', { target: '/square/fountain', action: 'quality.inc', args: { path: 'water.fish', by: 1 } });
  await is(panel.getByText('fish', { exact: true }));
  assert.equal(await seldom.getByLabel('path', { exact: true }).inputValue(), 'water.warmth');
});

story('a place with an edge has a door, which leads in and, once one is there, out again', async () => {
  await open('#/');
  await page.locator('.map a.door').filter({ hasText: 'Into garden' }).click();
  await is(page.getByRole('heading', { level: 1, name: 'Garden', exact: true }));
  await page.locator('.map a.door').filter({ hasText: 'Out of garden' }).click();
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
});

/** Pip, driven in a tab of its own while the world stands still: what one does as pip happens alone. */
const drivingPip = async () => {
  await open('#/');
  await act('/api/clock', { do: 'pause' });
  const tab = await context.newPage();
  await open('#/drive/pip', tab);
  await tab.getByRole('button', { name: 'Inhabit @pip' }).click();
  await is(tab.getByRole('heading', { name: 'You drive @pip' }));
  // A page that lies behind another is drawn once in a while, with no steps between.
  await page.bringToFront();
  await is(page.locator('.map:not(.jumps) [data-being="pip"]'));
  const does = (body) => tab.evaluate(async (body) => (await fetch('/api/do', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ as: '@pip', ...body }) })).json(), body);
  const release = async () => {
    await tab.getByRole('button', { name: 'Release @pip' }).click();
    await is(tab.getByText('@pip runs by itself.'));
    await tab.close();
    await act('/api/clock', { do: 'go' });
  };
  return { does, release };
};

story('whoever is refused shakes once', async () => {
  const { does, release } = await drivingPip();
  // Each time that the class is put on, and each time that it comes off.
  await page.evaluate(() => {
    const pip = document.querySelector('[data-being="pip"]');
    window.shaken = [];
    new MutationObserver(() => {
      const shakes = pip.classList.contains('shakes');
      if ((window.shaken.at(-1) ?? false) !== shakes) window.shaken.push(shakes);
    }).observe(pip, { attributeFilter: ['class'] });
  });
  const shook = () => page.evaluate(() => window.shaken);
  browser.mayBeAway = true; // a refusal is a 403, which the browser reports
  const { closing } = await does({ target: '/square', action: 'signal.set', args: { name: 'square.festival', value: true } });
  browser.mayBeAway = false;
  assert.equal(closing, 'refused');
  await page.waitForFunction(() => window.shaken.length >= 2);
  assert.deepEqual(await shook(), [true, false]);
  // What pip does next is told, and shakes nobody.
  await does({ target: '/square', action: 'say', args: { content: 'Never mind.' } });
  await is(page.locator('.bubble').filter({ hasText: 'Never mind.' }));
  assert.deepEqual(await shook(), [true, false]);
  await release();
});

story('whoever goes elsewhere travels there, and is there at once where motion is reduced', async () => {
  const { does, release } = await drivingPip();
  const [, x] = /at (\d), \d/.exec(await page.locator('[data-being="pip"]').getAttribute('aria-label'));
  const [one, other] = [[5, 1], [0, 1]];
  /** Where pip is drawn at each frame, from before the step until nothing moves any more. */
  const watched = () => page.evaluate(() => {
    window.travelled = new Promise((done) => {
      const pip = document.querySelector('[data-being="pip"]');
      const [from, seen] = [pip.style.transform, []];
      const look = () => {
        seen.push(pip.querySelector('.halo').getBoundingClientRect().x);
        if (pip.style.transform !== from && pip.getAnimations().length === 0) done(seen);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  });
  const go = async (coords) => {
    await watched();
    await does({ target: '@pip', action: 'move', args: { coords } });
    const seen = await page.evaluate(() => window.travelled);
    const [began, ended] = [seen[0], seen.at(-1)];
    assert.ok(Math.abs(ended - began) > 40, `pip goes from ${began} to ${ended}`);
    return seen.filter((at) => Math.min(Math.abs(at - began), Math.abs(at - ended)) > 1);
  };
  const first = Number(x) >= 3 ? other : one;
  assert.ok((await go(first)).length > 0, 'on the way pip is between the two');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.deepEqual(await go(first === one ? other : one), [], 'nobody is between the two');
  await page.emulateMedia({ reducedMotion: null });
  await release();
});

story('the world stands still behind the moment of a stop, and a link leads to it', async () => {
  await open('#/');
  const clock = page.getByRole('group', { name: 'Clock of the world' });
  await clock.getByLabel('More of the clock').click();
  const condition = clock.getByLabel('A condition on a moment');
  browser.mayBeAway = true; // what is no condition is a 400, which the browser reports
  await condition.fill('{"moment.closng": "act"}');
  await clock.getByRole('button', { name: 'Stop at it' }).click();
  await is(clock.getByRole('alert').getByText('did you mean'));
  browser.mayBeAway = false;
  await condition.fill('when {"moment.being": "pip"}');
  await clock.getByRole('button', { name: 'Stop at it' }).click();
  await is(clock.getByText('1 stop', { exact: true }));
  await act('/api/clock', { do: 'go' });
  const behind = clock.getByRole('link', { name: /stopped behind @pip/ });
  await behind.waitFor();
  await isSound(page, 'a stop');
  await clock.getByRole('button', { name: /Take away/ }).click();
  await is(clock.getByText('Stops', { exact: true }));
  await behind.click();
  await is(page.getByRole('heading', { name: /^Moment \d+$/ }));
  await page.getByRole('button', { name: 'Let the world go on' }).click();
  await is(page.getByRole('button', { name: 'Pause the world' }));
});

story('the story beside the map tells what happens, and whoever reads on is not moved away', async () => {
  await open('#/');
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  const told = card('What happens');
  const rows = told.locator('[data-seq]');
  const view = (name) => told.getByRole('button', { name, exact: true }).click();
  await rows.first().waitFor();
  // Sentences name things and beings, and no address; what is said stands in quotes.
  assert.deepEqual((await told.locator('.say').allTextContents()).filter((text) => /(^|\s)[@/][a-z]/.test(text.replace(/“.*”/s, ''))), []);
  await view('Talk');
  await page.waitForFunction(() => [...document.querySelectorAll('.story .say')].length > 0 && [...document.querySelectorAll('.story .say')].every((row) => row.querySelector('q')));
  await view('All');
  await page.waitForFunction(() => document.querySelectorAll('.story .row').length > 30);
  assert.equal(await told.locator('.fold').count(), 0);
  // Whoever has scrolled down reads on; what comes meanwhile waits above.
  const log = told.getByRole('log');
  await log.evaluate((box) => { box.scrollTop = 300; });
  const newest = await rows.first().getAttribute('data-seq');
  const waiting = told.getByRole('button', { name: /^\d+ new$/ });
  await is(waiting);
  assert.equal(await rows.first().getAttribute('data-seq'), newest);
  await waiting.click();
  await page.waitForFunction((newest) => Number(document.querySelector('.story [data-seq]').dataset.seq) > Number(newest), newest);
  await isGone(waiting);
  // By keys from row to row, and into the moment.
  await act('/api/clock', { do: 'pause' });
  await view('Story');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const seq = await page.evaluate(() => document.activeElement.closest('[data-seq]').dataset.seq);
  assert.equal(seq, await rows.nth(1).getAttribute('data-seq'));
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await is(page.getByRole('heading', { name: `Moment ${seq}`, exact: true }));
  await act('/api/clock', { do: 'go' });
  await open('#/measures');
  await is(page.getByRole('heading', { name: 'Measures', exact: true }));
  await isSound(page, 'measures');
});

story('a row of the story says why it was done once somebody asks, and nothing is read before', async () => {
  await act('/api/clock', { do: 'go' });
  await open('#/');
  const told = card('What happens');
  await told.locator('[data-seq]').first().waitFor();
  const asked = [];
  const hear = (request) => { if (/\/api\/moment\/\d/.test(request.url())) asked.push(request.url()); };
  page.on('request', hear);
  await act('/api/summon', { target: '@pip', content: 'Who walks here by himself?' });
  const answer = told.locator('[data-seq]').filter({ hasText: 'I am @pip and I walk by myself.' }).first();
  await answer.waitFor();
  await act('/api/clock', { do: 'pause' });
  // By keyboard: the button stands behind the links of its row, and says whether it is open.
  await answer.getByRole('link').first().focus();
  const why = answer.getByRole('button', { name: /^why/ });
  assert.deepEqual([await why.getAttribute('aria-expanded'), await why.getAttribute('tabindex'), asked.length], ['false', '0', 0]);
  await why.press('Enter');
  const because = answer.getByRole('status');
  await is(because.getByText(/^Because .*Who walks here by himself\?/));
  assert.equal(await why.getAttribute('aria-expanded'), 'true');
  await is(because.getByRole('link', { name: 'Pip', exact: true }));
  await isSound(page, 'a row with its reason');
  // Closed and opened again it asks nobody a second time.
  await why.press('Enter');
  await isGone(because);
  await why.press('Enter');
  await is(because.getByText(/^Because/));
  assert.equal(asked.length, 1);
  // A deed by itself has no cause on record.
  const { moments } = await api('/api/moments?because=true&limit=50');
  const alone = moments.find((moment) => moment.being === 'pip' && !moment.becauseOf);
  await told.getByRole('button', { name: 'All', exact: true }).click();
  const row = told.locator(`[data-seq="${alone.seq}"]`);
  await row.getByRole('button', { name: /^why/ }).click();
  await is(row.getByText('Nothing that led to it is on record.'));
  page.off('request', hear);
  // Also a line of a list of moments says it.
  await open('#/being/pip');
  const line = page.locator('.moment[data-seq]').filter({ hasText: 'I am @pip and I walk by myself.' }).first();
  await line.getByRole('button', { name: /^why/ }).click();
  await is(line.getByText(/^Because .*Who walks here by himself\?/));
  await act('/api/clock', { do: 'go' });
});

story('a moment opens and says why', async () => {
  await open('#/moments');
  const rows = page.getByRole('region', { name: 'Moments, the newest first' });
  await rows.locator('[data-seq]').first().waitFor();
  await isSound(page, 'moments');
  // On a phone the list comes first: all filters but the words lie behind a button.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok(!await page.getByLabel('Being', { exact: true }).isVisible());
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await is(page.getByLabel('Being', { exact: true }));
  await page.setViewportSize(size);
  await page.getByLabel('Being', { exact: true }).fill('pip');
  await page.getByLabel('Action', { exact: true }).fill('move');
  await page.waitForFunction(() => { const rows = [...document.querySelectorAll('[data-seq]')]; return rows.length > 0 && rows.every((row) => row.textContent.includes('Pip') && row.textContent.includes('some steps')); });
  await page.getByLabel('Search', { exact: true }).fill('nothing says this');
  await is(page.getByText('No moment fits.'));
  await page.getByRole('button', { name: 'Clear' }).click();
  const first = rows.locator('[data-seq]').filter({ hasText: 'Mira' }).first();
  const seq = await first.getAttribute('data-seq');
  await first.getByRole('link', { name: new RegExp(`Moment ${seq}`) }).click();
  await is(page.getByRole('heading', { name: `Moment ${seq}`, exact: true }));
  const why = card('Why', page).first();
  await is(why.getByText('gardener').first());
  await is(why.getByText('world.square.festival'));
  await is(why.getByText('worn, as the primary'));
  await page.getByLabel('Compare with moment').fill(String(Number(seq) - 4));
  await page.getByRole('button', { name: 'Show the difference' }).click();
  await is(page.getByText(/against moment/));
  await isSound(page, 'moment');
});

story('a being says what it wears and why, and answers when it is summoned', async () => {
  await open('#/being/mira');
  const wears = card('What it wears now and why');
  await is(wears.getByText('worn, as the primary'));
  await is(wears.getByText('does not match'));
  await isSound(page, 'being');
  await page.getByLabel('What you ask @mira').fill('Who are you?');
  await page.getByRole('button', { name: 'Summon @mira' }).click();
  await is(page.getByRole('list', { name: 'Thread with @mira' }).getByText('I am here, as a gardener.'));
  await open('#/me');
  await is(card('Your inbox').getByText('I am here, as a gardener.'));
  await isSound(page, 'me');
  // Other stories may have been answered too.
  const away = card('Your inbox').getByRole('button', { name: 'Put away' });
  for (let left = await away.count(); left > 0; left -= 1) {
    await away.first().click();
    await page.waitForFunction((most) => [...document.querySelectorAll('button')].filter((each) => each.textContent?.trim() === 'Put away').length < most, left);
  }
  await is(page.getByText('Nothing waits in the inbox of @operator.'));
});

story('a role and a flow are changed, and the being wears otherwise', async () => {
  await open('#/roles');
  await is(page.getByRole('link', { name: 'gardener', exact: true }));
  await isSound(page, 'roles');
  await page.getByRole('link', { name: 'gardener', exact: true }).click();
  await is(page.getByRole('heading', { name: 'gardener', exact: true }));
  await page.getByLabel('Prompt of gardener').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Roses first.');
  const bound = page.getByRole('group', { name: /^canDo/ });
  await bound.getByLabel('Kind of entry for canDo').selectOption('bound');
  await bound.getByLabel('Entry for canDo', { exact: true }).fill('move');
  await bound.getByLabel('On what', { exact: true }).fill('self');
  await bound.getByRole('button', { name: 'Add', exact: true }).click();
  await is(bound.getByText('move on itself'));
  await isSound(page, 'role');
  await publish();
  await is(page.getByText('version 2', { exact: true }));
  const changed = await api('/api/roles/gardener');
  assert.match(changed.role.prompt, /Roses first\.$/);
  assert.deepEqual(changed.role.canDo.at(-1), { action: 'move', on: { rel: 'self' } });

  // Somebody else was faster: nothing is overwritten unseen.
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'gardener', role: { ...changed.role, description: 'Somebody else was here.' } } });
  await page.getByLabel('What it is, in a sentence').fill('Mine.');
  await page.getByLabel('What it is, in a sentence').press('Tab');
  browser.mayBeAway = true; // a conflict may be a 409, which the browser reports
  await publish();
  await is(page.getByText('Somebody published another version of gardener meanwhile.'));
  browser.mayBeAway = false;
  // Both have changed the same part: what each made of it stands there, and nobody decides.
  const clash = card('What both have changed').getByRole('row').filter({ hasText: 'description' });
  await is(clash.getByText('both', { exact: true }));
  assert.deepEqual((await clash.getByRole('cell').allTextContents()).slice(-2), ['Mine.', 'Somebody else was here.']);
  assert.equal(await page.getByRole('button', { name: 'Take both' }).count(), 0);
  await isSound(page, 'a role that somebody else has published');
  await page.getByRole('button', { name: 'Read theirs, and drop mine' }).click();
  await is(page.getByText('Somebody else was here.', { exact: true }));
  const history = card('History');
  await history.getByRole('listitem').filter({ hasText: /^1 / }).getByRole('button', { name: 'Roll back to it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
  await isGone(page.getByRole('dialog'));
  await is(page.getByText('version 4', { exact: true }));
  assert.deepEqual((await api('/api/roles/gardener')).role.canDo, [{ action: 'say', on: { rel: 'here' } }]);

  // The flow, as sentences: what she would wear now follows while one writes.
  await open('#/flow/mira');
  const now = page.getByTestId('now');
  await is(now.getByText('gardener'));
  // What she wears is said once; what each clause saw stands behind a fold.
  const whyNow = card('What it would wear now').getByText('worn, as the primary');
  assert.equal(await whyNow.isVisible(), false);
  await page.getByText('Each condition, and the value it saw').click();
  await is(whyNow);
  await isSound(page, 'flow as sentences');
  const value = page.getByLabel('Value for world.square.festival');
  // Sentences, whose fields come up where somebody takes one up, by hand or by keys; Escape puts them away, and one stands where one stood.
  await is(clause(0).getByText('dancer', { exact: true }));
  assert.equal(await page.getByLabel(/^Role of clause/).count(), 0);
  await clause(1).click();
  await page.getByLabel('Role of clause 1').fill('gardner');
  await is(page.getByText(/the role `gardner` is not registered/));
  await page.getByLabel('Role of clause 1').fill('gardener');
  await is(page.getByText('The lint has nothing to say.'));
  await page.getByLabel('Role of clause 1').press('Tab');
  await page.keyboard.press('Escape');
  await isGone(page.getByLabel('Role of clause 1'));
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Change clause 1: always wear gardener$/);
  await clause(0).focus();
  await page.keyboard.press('Enter');
  await is(value);
  await isSound(page, 'a clause taken up');
  // What stands below an open clause moves under no slow press. A new clause opens and has the focus; one that goes leaves it on its neighbour.
  const stands = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await clause(1).click();
  await is(page.getByLabel('Role of clause 1'));
  await page.getByRole('button', { name: 'Add a clause' }).click({ delay: 150 });
  await is(page.getByLabel('Role of clause 2'));
  assert.equal(await stands(), 'Role of clause 2');
  await isGone(page.getByLabel('Role of clause 1'));
  await page.keyboard.press('Escape');
  assert.match(await stands(), /^Change clause 2: always wear …$/);
  await page.getByRole('button', { name: 'Take clause 2 out' }).focus();
  await page.keyboard.press('Enter');
  await isGone(clause(2));
  assert.equal(await stands(), 'Take clause 1 out');
  await clause(0).click();
  await value.fill('false');
  await value.press('Tab');
  await is(now.getByText('dancer'));
  await page.getByRole('button', { name: 'Backtest' }).click();
  await is(page.getByText(/it would have worn something else/));
  // The second clause to the front, by keyboard: it asks for nothing, so it wins; and back again.
  await page.getByRole('button', { name: /^Clause 2 of 2/ }).focus();
  await page.keyboard.press('ArrowUp');
  await is(now.getByText('gardener'));
  await page.keyboard.press('ArrowDown');
  await is(now.getByText('dancer'));
  // And by hand.
  await page.getByRole('button', { name: /^Clause 2 of 2/ }).dragTo(page.getByRole('button', { name: /^Clause 1 of 2/ }));
  await is(now.getByText('gardener'));
  await page.getByRole('button', { name: /^Clause 1 of 2/ }).focus();
  await page.keyboard.press('ArrowDown');
  await is(now.getByText('dancer'));
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await is(page.getByLabel('The flow as JSON').getByText('"world.square.festival"'));
  await isSound(page, 'flow as JSON');
  await page.getByRole('button', { name: 'Publish the flow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await isGone(page.getByRole('dialog'));
  await isGone(page.getByText('not published'));
  assert.deepEqual(await api('/api/see?address=@mira/.flow'), [{ role: 'dancer', when: { 'world.square.festival': false } }, { role: 'gardener' }]);
  // What was published before is a version of the past: taken up again by a name, and left again.
  const again = async (label) => {
    await card('History').getByRole('button', { name: 'Roll back to it' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^Roll the flow of @mira back to version \d+\?$/ });
    await dialog.getByLabel(/What this version is called/).fill(label);
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
    await is(card('History').getByRole('listitem').filter({ hasText: 'in force' }).getByText(label));
  };
  const drafted = [{ role: 'dancer', when: { 'world.square.festival': false } }, { role: 'gardener' }];
  await again('as it was');
  assert.notDeepEqual(await api('/api/see?address=@mira/.flow'), drafted);
  await again('the feast');
  assert.deepEqual(await api('/api/see?address=@mira/.flow'), drafted);
  await open('#/being/mira');
  await is(card('What it wears now and why').getByRole('listitem').filter({ hasText: 'dancer' }).getByText('worn, as the primary'));

  // A signal changes it again, and she wakes by herself.
  await open('#/signals');
  await is(page.getByText('square.festival'));
  await is(page.getByRole('link', { name: '@mira' }));
  await isSound(page, 'signals');
  await page.getByRole('button', { name: 'Make it true' }).click();
  await is(page.getByRole('button', { name: 'Make it false' }));
  await open('#/being/mira');
  await is(card('What it wears now and why').getByRole('listitem').filter({ hasText: 'gardener' }).getByText('worn, as the primary').first());
});

story('a role is tried on a moment, published in one space first, and then everywhere', async () => {
  await open('#/moments?being=mira&role=gardener');
  await page.locator('[data-seq]').first().getByRole('link', { name: /^Moment/ }).click();
  await page.getByRole('region', { name: 'Why', exact: true }).getByRole('link', { name: 'gardener' }).last().click();
  const trial = card('Try it on a moment');
  assert.equal(await trial.getByLabel('Whose moment').inputValue(), 'mira');
  await is(trial.getByText('a script thinks: it costs nothing'));
  await page.getByLabel('What it is, in a sentence').fill('Looks after the roses.');
  await page.getByLabel('What it is, in a sentence').press('Tab');
  const { seq } = await api('/api/world');
  await trial.getByRole('button', { name: 'Try it', exact: true }).click();
  await is(trial.getByRole('region', { name: 'What happened then' }));
  await is(trial.getByRole('region', { name: 'With the draft', exact: true }));
  await isSound(page, 'role that was tried');
  const made = (await api('/api/moments?being=operator&limit=1')).moments[0];
  assert.ok(!made || made.seq < seq, 'trying does nothing');
  await page.getByLabel('For which kind of model its moments are').fill('writer');
  await page.getByLabel('For which kind of model its moments are').press('Tab');
  await is(trial.getByText('The draft has changed since', { exact: false }));

  await page.getByRole('button', { name: 'Publish the role' }).click();
  const foreseen = page.getByRole('dialog', { name: 'Publish gardener' }).getByRole('status', { name: 'What it would change' });
  await is(foreseen.getByText(/wears? it now\./));
  await is(foreseen.getByText('Nobody would do otherwise.'));
  await is(foreseen.getByText(/moments? of the last day (was|were) lived once more\./));
  await isSound(page, 'publish dialog');
  await page.keyboard.press('Escape');
  await isGone(page.getByRole('dialog'));
  const world = (await api('/api/roles/gardener')).version;
  await publish('/square', 'roses');
  await is(page.getByText('of /square', { exact: true }));
  const local = await api('/api/roles/gardener');
  assert.equal(local.version, world, 'the world keeps its own');
  assert.deepEqual(local.places.map((place) => [place.space, place.role.slot]), [['/square', 'writer']]);
  const there = card('Other versions in force');
  await there.getByRole('button', { name: 'Show the difference' }).click();
  await is(there.getByRole('group', { name: 'Difference' }).getByText('Looks after the roses.'));
  await is(card('History').getByRole('listitem').filter({ hasText: 'roses' }).getByText('in /square'));
  await isSound(page, 'role with a version in one space');
  await open('#/roles');
  await is(page.getByText('another version in /square'));
  await page.getByRole('link', { name: 'gardener', exact: true }).click();

  // A second version there, and back to the first of it.
  await there.getByRole('button', { name: 'Edit it' }).click();
  await page.getByLabel('What it is, in a sentence').fill('Looks after the thorns.');
  await page.getByLabel('What it is, in a sentence').press('Tab');
  await publish('/square', 'thorns');
  await is(there.getByText('version 2 of its own'));
  await card('History').getByRole('listitem').filter({ hasText: 'roses' }).getByRole('button', { name: 'Roll back to it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
  await isGone(page.getByRole('dialog'));
  await is(there.getByText('version 3 of its own'));
  assert.equal((await api('/api/roles/gardener')).places[0].role.description, 'Looks after the roses.');
  await there.getByRole('button', { name: 'Publish everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish everywhere', exact: true }).click();
  await isGone(page.getByRole('dialog'));
  await is(page.getByText(`version ${world + 1}`, { exact: true }));
  await there.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click();
  await isGone(page.getByRole('dialog'));
  await isGone(there);
  const after = await api('/api/roles/gardener');
  assert.deepEqual([after.places, after.role.description], [[], 'Looks after the roses.']);
});

story('what was published is undone from its notice, unless somebody has changed the same thing since', async () => {
  const notes = page.locator('.notes');
  const note = (text) => notes.locator('.note').filter({ hasText: text }).last();
  const undo = (what) => note(what).getByRole('button', { name: 'Undo' }).click();
  const isBack = (what) => is(notes.getByText(`${what} is as it was before`).last());
  const festival = (value) => act('/api/do', { target: '/', action: 'signal.set', args: { path: 'square.festival', value } });
  const held = async () => (await api('/api/signals')).signals.square.festival;
  // A signal; and the undo itself.
  await festival(false);
  await open('#/signals');
  await page.getByRole('button', { name: 'Make it true' }).click();
  await undo('square.festival is true');
  await isBack('The signal square.festival');
  assert.equal(await held(), false);
  // A note stays as long as somebody points at it.
  await note('The signal square.festival is as it was before').hover();
  await isSound(page, 'undo');
  await undo('The signal square.festival is as it was before');
  await is(page.getByRole('button', { name: 'Make it false' }));
  assert.equal(await held(), true);
  // What somebody else has made of it meanwhile stays.
  await page.getByRole('button', { name: 'Make it false' }).click();
  await is(page.getByRole('button', { name: 'Make it true' }));
  await festival('rained off');
  await undo('square.festival is false');
  await is(notes.getByText('The signal square.festival has changed since then. Nothing is undone.'));
  assert.equal(await held(), 'rained off');
  await festival(false);
  // What a space stacks.
  await open('#/stacks/square');
  await page.getByRole('button', { name: 'Add a clause' }).click();
  await page.getByLabel('Role of clause 0').fill('gardener');
  await page.getByRole('button', { name: 'Publish it' }).click();
  await isGone(page.getByText('not published'));
  await undo('What /square stacks is published');
  await isBack('What /square stacks');
  // The page shows it, and what one publishes next is built on it.
  await is(page.getByText('Nothing: whoever stands here wears what they bring.'));
  assert.deepEqual(await api('/api/see?address=/square/.flow'), []);
  // A flow.
  const flow = await api('/api/see?address=@mira/.flow');
  await open('#/flow/mira');
  await is(page.getByRole('button', { name: /^Clause 2 of 2/ }));
  const asItWas = await page.evaluate(() => [...document.querySelectorAll('[aria-label^="Clause "]')].map((each) => each.getAttribute('aria-label')).join());
  const showsIt = () => page.waitForFunction((was) => [...document.querySelectorAll('[aria-label^="Clause "]')].map((each) => each.getAttribute('aria-label')).join() === was, asItWas);
  await page.getByRole('button', { name: /^Clause 2 of 2/ }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Publish the flow' }).click();
  await is(page.getByRole('dialog').getByRole('status', { name: 'What it would change' }).getByText(/lived once more\./));
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await isGone(page.getByText('not published'));
  assert.notDeepEqual(await api('/api/see?address=@mira/.flow'), flow);
  await undo('The flow of @mira is published');
  await isBack('The flow of @mira');
  // The page shows it again, and what one publishes next is built on it.
  await showsIt();
  await page.getByRole('button', { name: /^Clause 2 of 2/ }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Publish the flow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await isGone(page.getByText('not published'));
  assert.equal(await page.getByText('Somebody published another').count(), 0);
  await undo('The flow of @mira is published');
  await showsIt();
  assert.deepEqual(await api('/api/see?address=@mira/.flow'), flow);
  // A role, everywhere and in one space.
  const { role } = await api('/api/roles/gardener');
  for (const space of [null, '/square']) {
    await open('#/roles/gardener');
    await page.getByLabel('What it is, in a sentence').fill(`Undone soon, ${space}.`);
    await page.getByLabel('What it is, in a sentence').press('Tab');
    await publish(space);
    await undo(`gardener is published ${space ? `in ${space}` : 'everywhere'}`);
    await isBack(space ? `The role gardener in ${space}` : 'The role gardener');
    await page.waitForFunction((was) => [...document.querySelectorAll('label')].some((label) => label.textContent === 'What it is, in a sentence' && label.control?.value === was), role.description ?? '');
    const after = await api('/api/roles/gardener');
    assert.deepEqual([after.role, after.places], [role, []]);
  }
  // A setting.
  const depth = async () => (await api('/api/see?address=/square/.settings/brakes.depth')).value;
  const before = await depth();
  const row = page.getByRole('listitem', { name: 'brakes.depth', exact: true });
  await open('#/settings?of=/square');
  await row.getByRole('button', { name: 'Change brakes.depth' }).click();
  await row.getByLabel(/^value/).fill('7');
  await row.getByRole('button', { name: 'Set it at /square' }).click();
  await is(row.getByRole('link', { name: '/square' }));
  assert.equal(await depth(), 7);
  await undo('brakes.depth is set at /square');
  await isBack('The setting brakes.depth at /square');
  await is(row.getByText('the default'));
  assert.equal(await depth(), before);
});

story('a draft is read, and published by a button', async () => {
  assert.equal((await act('/api/do', { target: '/', action: 'signal.set', args: { path: 'square.festival', value: false } })).closing, 'act');
  const args = { action: 'signal.set', target: '/', args: { path: 'square.festival', value: true }, name: 'feast' };
  assert.equal((await act('/api/do', { target: '@operator', action: 'draft.make', args })).closing, 'act');
  await open('#/draft/@operator/feast');
  await is(page.getByRole('heading', { name: 'The draft @operator/feast' }));
  await is(card('What would differ').getByRole('cell', { name: 'true' }));
  await is(card('Who would wear what').getByRole('link', { name: '@mira' }));
  await isSound(page, 'draft');
  await page.getByRole('button', { name: 'Publish it' }).click();
  await is(page.getByText(/It is published, and gone from the hands of @operator/));
  await page.getByRole('link', { name: 'The moment in which you did it' }).click();
  await is(page.getByText('published a draft').first());
});

story('what matter holds is unfolded where it lies', async () => {
  await act('/api/do', { target: '/square', action: 'matter.make', args: { name: 'box', type: 'box', coords: [3, 0] } });
  await act('/api/do', { target: '/square/box', action: 'matter.make', args: { name: 'purse', type: 'purse' } });
  await act('/api/do', { target: '/square/box/purse', action: 'matter.make', args: { name: 'coin', type: 'coin', content: 'A worn penny' } });
  await open('#/space/square?on=/square/box');
  const panel = card('Panel of /square/box');
  await panel.getByText('purse', { exact: true }).click();
  await panel.getByText('coin', { exact: true }).click();
  await is(panel.getByText('A worn penny'));
  await isSound(page, 'matter inside matter');
  await panel.getByRole('link', { name: 'open coin' }).click();
  await is(card('Panel of /square/box/purse/coin').getByRole('link', { name: '/square/box/purse' }));
});

story('a bridge is asked by a form, and the text of the page that came stands in the thread', async () => {
  const shop = new Shop();
  await shop.start();
  await act('/api/do', { target: '/', action: 'config.set', args: { key: 'bridge.web', value: { kind: 'web', hosts: [shop.host], methods: ['GET', 'POST'] } } });
  await act('/api/be', { operation: 'birth', payload: { name: 'web', cognition: 'bridge', defaultRole: 'walker', home: '/square' } });
  await act('/api/do', { target: '@web', action: 'config.set', args: { key: 'bridge', value: 'web' } });
  await open('#/being/web');
  await page.getByLabel('Address that @web asks').fill(`http://${shop.host}/prices`);
  await isSound(page, 'bridge');
  await page.getByRole('button', { name: 'Summon @web' }).click();
  const thread = page.getByRole('list', { name: 'Thread with @web' });
  await is(thread.getByText('Tea is 3.50'));
  await page.getByLabel('Method').selectOption('POST');
  await page.getByLabel('Address that @web asks').fill(`http://${shop.host}/order`);
  await page.getByLabel('Text to send').fill('two teas');
  await page.getByRole('button', { name: 'Summon @web' }).click();
  await is(thread.getByText('heard: two teas'));
  await page.getByLabel('Address that @web asks').fill('https://elsewhere.example/');
  await page.getByRole('button', { name: 'Summon @web' }).click();
  await is(thread.getByText(/does not reach that host/));
  await act('/api/be', { operation: 'end', payload: { being: '@web' } });
  await act('/api/do', { target: '/', action: 'config.set', args: { key: 'bridge.web', value: null } });
  await shop.stop();
});

story('a request waits in the outbox, is approved by keyboard, and the next is declined with a reason', async () => {
  const server = new Shop();
  await server.start();
  const setting = { kind: 'web', hosts: [server.host], methods: ['GET', 'POST'], approve: { by: 'owner', when: { 'request.method': 'POST' } } };
  await act('/api/do', { target: '/', action: 'config.set', args: { key: 'bridge.shop', value: setting } });
  await act('/api/be', { operation: 'birth', payload: { name: 'shop', cognition: 'bridge', defaultRole: 'walker', home: '/square' } });
  await act('/api/do', { target: '@shop', action: 'config.set', args: { key: 'bridge', value: 'shop' } });
  const order = (body) => act('/api/summon', { target: '@shop', content: { url: `http://${server.host}/order`, method: 'POST', body } });
  await open('#/outbox');
  await is(page.getByText('Nothing waits to be approved.'));
  await order({ tea: 2 });
  const request = page.getByRole('article', { name: 'Request of @operator to @shop' });
  await is(request.getByText(`http://${server.host}/order`).first());
  await is(request.getByText('"tea": 2'));
  await isSound(page, 'outbox');
  await request.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await is(page.getByText('Nothing waits to be approved.'));
  await open('#/being/shop');
  await is(page.getByRole('list', { name: 'Thread with @shop' }).getByText('heard: {"tea":2}'));
  await order('three teas');
  await open('#/me');
  await is(page.getByText(/waits for your yes/));
  await isSound(page, 'inbox with a request');
  await page.getByRole('button', { name: 'Decline …' }).click();
  await page.getByLabel(/^Why not/).fill('too dear');
  await page.keyboard.press('Enter');
  await is(page.getByText(/too dear/).first());
  await act('/api/be', { operation: 'end', payload: { being: '@shop' } });
  await act('/api/do', { target: '/', action: 'config.set', args: { key: 'bridge.shop', value: null } });
  await server.stop();
});

story('who is at a thing is marked on the map, and the thing says who, until when and for what', async () => {
  await act('/api/do', { target: '/square', action: 'matter.make', args: { name: 'press', type: 'press' } });
  await act('/api/do', { target: '/square/press', action: 'claim.set', args: { for: '30m', why: 'repairing it' } });
  await open('#/');
  const press = page.locator('svg a.matter[aria-label^="press"]');
  await is(page.locator('svg a.matter[aria-label*="press, press, Operator has it until "][aria-label$=": repairing it"]'));
  assert.equal(await press.locator('.claimed').count(), 1, 'the thing carries a mark');
  await press.click();
  const panel = card('Panel of /square/press');
  await is(panel.getByText(/^Operator has it until \d\d:\d\d(:\d\d)?: repairing it$/));
  await isSound(page, 'a thing that is claimed');
  // A face carries it too, as long as the claim lives.
  const face = page.locator('svg a.being[data-being="mira"]');
  assert.equal(await face.locator('.claims').count(), 0);
  await act('/api/do', { target: '@mira', action: 'claim.set', args: { why: 'a portrait' } });
  await is(page.locator('svg a.being[data-being="mira"][aria-label*="Operator has it until "]'));
  assert.equal(await face.locator('.claims').count(), 1, 'the face carries a mark');
  await act('/api/do', { target: '/', action: 'claim.end', args: {} });
  await is(page.locator('svg a.matter[aria-label="press, press"]'));
  await act('/api/do', { target: '/square/press', action: 'matter.end', args: {} });
});

story('a complaint comes to the desk by a webhook, its answer waits for a yes, and the customer reads it', async () => {
  const desk = new Desk();
  await desk.start();
  browser.others.add(desk.base);
  const tab = await context.newPage();
  await tab.goto(desk.link);
  await desk.complain();
  await tab.goto(`${desk.base}/#/me`);
  await is(tab.getByText(/Clerk asks for something from outside, and waits for your yes/));
  await is(tab.getByText(/We pay back 3\.50 today/).first());
  assert.equal(desk.heard, '', 'nothing has left');
  await isSound(tab, 'the inbox of the desk');
  await tab.getByRole('button', { name: 'Approve' }).focus();
  await tab.keyboard.press('Enter');
  await desk.answered();
  await tab.goto(`${desk.base}/#/moments`);
  await is(tab.getByText(/lets a request of Outlet leave|let a request of Outlet leave/).first());
  await tab.close();
  await desk.clear();
});

story('a model is configured from the page, is asked, and what it costs is told and held within a budget', async () => {
  await act('/api/be', { operation: 'birth', payload: { name: 'lea', cognition: 'llm', defaultRole: 'walker', home: '/square', coords: [5, 3] } });
  await open('#/being/lea');
  await is(page.getByText('@lea is silent:'));
  await isSound(page, 'being without a model');
  await page.getByRole('link', { name: 'Set up a connection' }).click();
  await is(page.getByText('No model is configured.'));
  await isSound(page, 'cost without a model');
  const form = page.getByRole('form', { name: 'A new connection' });
  await form.getByLabel('Name', { exact: true }).fill('small');
  await form.getByLabel('Model', { exact: true }).fill('scripted');
  await form.getByLabel(/^Address/).fill(model.base);
  await form.getByLabel(/^Key/).fill('sk-this-is-a-key');
  await form.getByRole('button', { name: 'Add it' }).click();
  await is(form.getByText('never the key itself', { exact: false }));
  assert.equal((await api('/api/see?address=/.config'))['llm.small'], undefined, 'nothing was sent');
  await form.getByLabel(/^Key/).fill('');
  await form.getByRole('button', { name: 'Add it' }).click();
  await is(card('Connections').getByText('the world’s own', { exact: true }));
  const price = page.getByRole('form', { name: 'A price' });
  await price.getByLabel('Model, as it is asked for').fill('scripted');
  await price.getByLabel('Of the prompt').fill('10');
  await price.getByLabel('Of the reply').fill('20');
  await price.getByRole('button', { name: 'Set the price' }).click();
  await is(card('Prices').getByText('10 in, 20 out'));
  await page.getByRole('form', { name: 'The currency' }).getByLabel('Currency').fill('EUR');
  await page.getByRole('button', { name: 'Set the currency' }).click();
  await page.getByRole('button', { name: 'Set a budget' }).click();
  const budget = page.getByRole('form', { name: 'A budget' });
  await budget.getByLabel('Money at most, in EUR').fill('many');
  await budget.getByRole('button', { name: 'Set the budget' }).click();
  await is(budget.getByText('money: expected a number that is at least 0'));
  await budget.getByLabel('Money at most, in EUR').fill('1000');
  await budget.getByLabel('Calls at most').fill('1000');
  await budget.getByRole('button', { name: 'Set the budget' }).click();
  await is(card('Budgets').getByText('0 of 1,000 calls'));
  assert.deepEqual((await api('/api/see?address=/.config'))['llm.budget'], { day: { calls: 1000, money: 1000 } });

  await open('#/being/lea');
  await is(page.getByRole('link', { name: 'small', exact: true }));
  await page.getByLabel('What you ask @lea').fill('Who are you?');
  await page.getByRole('button', { name: 'Summon @lea' }).click();
  await is(page.getByRole('list', { name: 'Thread with @lea' }).getByText('This is answer 1.'));
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cost' }).click();
  const beings = card('By being');
  await is(beings.getByRole('row', { name: /@lea/ }).getByText('0.0104 EUR'));
  await is(card('Budgets').getByText('1 of 1,000 calls'));
  await isSound(page, 'cost');
  await card('By model').getByRole('link', { name: 'scripted' }).click();
  await page.locator('[data-seq]').first().waitFor();
  assert.equal(await page.getByLabel('Model', { exact: true }).inputValue(), 'scripted');
  assert.equal(await page.locator('[data-seq]').count(), 1);
  await page.getByLabel('Tokens, at least').fill('1021');
  await is(page.getByText('No moment fits.'));
  await page.getByLabel('Tokens, at least').fill('1020');
  await page.getByLabel('Cost, at least').fill('0.01');
  const row = page.locator('[data-seq]').first();
  await is(row.getByText('1,020 tokens'));
  await isSound(page, 'moments of a model');
  await row.getByRole('link', { name: /^Moment/ }).click();
  await is(card('What happened').getByText(/1,000 in, 20 out.*0\.0104 EUR/));
  await isSound(page, 'moment of a model');
  // What if a model had answered something else: a fork from its moment, which asks nobody.
  const dialog = page.getByRole('dialog');
  const [asked, seq] = [model.asked, /\d+$/.exec(page.url())[0]];
  await card('Reply').getByRole('button', { name: 'What if it had answered otherwise?' }).click();
  await is(dialog.getByRole('heading', { name: `Fork where moment ${seq} is answered otherwise` }));
  await dialog.getByLabel('Name').fill('kinder');
  await dialog.getByLabel('tokens').fill('many');
  await dialog.getByLabel('What its model answers').fill('{"name":"summon","arguments":{"target":"@operator","content":"I thought it over."}}');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await is(dialog.getByRole('alert').getByText('“many” is no number of tokens'));
  await dialog.getByLabel('tokens').fill('');
  await isSound(page, 'fork with another reply');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await is(dialog.getByRole('listitem').filter({ hasText: /answer otherwise, in frame \d+: act summon @operator/ }));
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  assert.equal(model.asked, asked);

  // The same moment with the draft of a flow: paid for, and two answers side by side.
  await page.getByRole('link', { name: 'Try it with another flow' }).click();
  const trial = card('Try it on a moment');
  await trial.getByLabel('How many replies').selectOption('2');
  await is(trial.getByText(/small is asked 2 times/));
  const before = model.asked;
  await trial.getByRole('button', { name: 'Try with the model (this is paid for)' }).click();
  await is(trial.getByRole('region', { name: 'What happened then' }).locator('q').getByText('This is answer 1.'));
  await is(trial.getByRole('region', { name: 'With the draft, reply 2' }).locator('q').getByText(/This is answer \d/));
  assert.equal(model.asked, before + 2);
  await isSound(page, 'flow that was tried with a model');

  // What there is no room for is refused, and says so.
  await open('#/cost');
  await is(beings.getByRole('row', { name: /@operator/ }).getByText('0.0208 EUR'));
  await page.getByRole('button', { name: 'Set a budget' }).click();
  await budget.getByLabel('Of whom').selectOption('named');
  await budget.getByLabel('Which being or space').fill('@operator');
  await budget.getByLabel('Calls at most').fill('2');
  await budget.getByRole('button', { name: 'Set the budget' }).click();
  const own = card('Budgets').getByRole('listitem').filter({ hasText: '@operator' });
  await is(own.getByText('2 of 2 calls'));
  await is(own.getByText('used up'));
  await isSound(page, 'cost with a budget that is used up');
  browser.mayBeAway = true; // a refusal is a 403, which the browser reports
  await open('#/flow/lea');
  await trial.getByRole('button', { name: 'Try with the model (this is paid for)' }).click();
  await is(trial.getByText('a budget has no room for it', { exact: false }));
  browser.mayBeAway = false;
  assert.equal(model.asked, before + 2, 'nobody was asked');
  await open('#/cost');
  await page.getByRole('button', { name: 'Change the day’s budget of @operator' }).click();
  assert.equal(await budget.getByLabel('Calls at most').inputValue(), '2');
  await budget.getByRole('button', { name: 'Take it back' }).click();
  await isGone(own);
});

story('what is set at a place is shown with where it comes from, and is set and taken back there', async () => {
  await open('#/space/square');
  await spaces();
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = (key) => page.getByRole('listitem', { name: key, exact: true });
  await is(row('brakes.depth').getByText('64'));
  await is(row('attempts.max').getByText('the world'));
  await isSound(page, 'settings of a space');
  await page.getByRole('button', { name: 'Change brakes.depth' }).click();
  await row('brakes.depth').getByLabel(/^value/).fill('many');
  await row('brakes.depth').getByRole('button', { name: 'Set it at /square' }).click();
  await is(row('brakes.depth').getByText('value: expected a number'));
  await row('brakes.depth').getByLabel(/^value/).fill('9');
  await row('brakes.depth').getByRole('button', { name: 'Set it at /square' }).click();
  await is(row('brakes.depth').getByRole('link', { name: '/square' }));
  assert.equal((await api('/api/see?address=/square/.settings/brakes.depth')).value, 9);
  browser.mayBeAway = true; // what has no settings is a 400, which the browser reports
  await open('#/settings?of=/square/fountain');
  await is(page.getByText('has no settings', { exact: false }));
  browser.mayBeAway = false;
  await open('#/settings?of=/square');
  await page.getByRole('button', { name: 'Take brakes.depth back' }).click();
  await is(row('brakes.depth').getByText('the default'));
});

story('a being is born, inhabited in a second tab, acts, is released, and runs by itself again', async () => {
  await open('#/birth');
  await page.getByLabel('Name', { exact: true }).fill('pip');
  await page.getByLabel(/^Script/).selectOption('walker');
  await page.getByLabel('Default role').fill('walker');
  await page.getByLabel('Home', { exact: true }).fill('/square');
  await page.getByLabel('Place on the grid of its home, if it has one').fill('2, 1');
  await isSound(page, 'birth');
  await page.getByRole('button', { name: 'Give birth only' }).click();
  await is(page.getByText('the name is taken'));
  await page.getByLabel('Name', { exact: true }).fill('nova');
  await page.getByRole('button', { name: 'Give birth only' }).click();
  await is(page.getByRole('heading', { name: '@nova' }));

  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Inhabit in a new tab' }).click();
  const tab = await opened;
  await tab.getByRole('button', { name: 'Inhabit @nova' }).click();
  await is(tab.getByRole('heading', { name: 'You drive @nova' }));
  await is(tab.getByText('You drive @nova.', { exact: false }).first());
  await is(page.getByText('driven by @operator').first());
  await isSoundDriven(tab, 'drive');

  // Walk by keyboard, say something; the first tab sees both.
  const nova = tab.locator('svg a.being[aria-label^="nova"]');
  await tab.getByRole('group', { name: /the arrow keys walk @nova/ }).focus();
  await tab.keyboard.press('ArrowRight');
  await tab.locator('svg a.being[aria-label^="nova at 3, 1"]').waitFor();
  await nova.waitFor();
  // The same face as on the map.
  await is(nova.locator('svg.face'));
  // By a click on a cell too.
  const floor = tab.getByRole('group', { name: /the arrow keys walk @nova/ });
  /** Clicks where a cell is drawn: its lines say where that is. */
  const clickCell = async (x, y) => {
    await floor.evaluate((drawing) => drawing.scrollIntoView({ block: 'center' }));
    const drawn = await floor.locator('.floor').boundingBox();
    await tab.mouse.click(drawn.x + (drawn.width * (x + 0.5)) / 6, drawn.y + (drawn.height * (y + 0.5)) / 4);
    await tab.locator(`svg a.being[aria-label^="nova at ${x}, ${y}"]`).waitFor();
  };
  await clickCell(1, 2);
  // Also where the window is so low that the drawing does not fill its place; and what is said hangs over whoever says it.
  const size = tab.viewportSize();
  await tab.setViewportSize({ width: size.width, height: 430 });
  // Nobody walks there, whom one would press instead.
  await clickCell(1, 1);
  await act('/api/do', { as: '@nova', target: '/square', action: 'say', args: { content: 'Here I stand.' } });
  // It glides there first.
  const hangs = () => {
    const over = [...document.querySelectorAll('.bubble')].find((bubble) => bubble.textContent.includes('Here I stand.'))?.getBoundingClientRect();
    const disc = document.querySelector('svg a.being[aria-label^="nova"] circle')?.getBoundingClientRect();
    const middle = disc && disc.x + disc.width / 2;
    return over && disc && over.left <= middle && middle <= over.right && Math.abs(over.bottom - disc.top) < 40;
  };
  await tab.waitForFunction(hangs, undefined, { timeout: 20_000 });
  await tab.setViewportSize(size);
  // On every other page of this tab one looks and acts as oneself.
  await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'World' }).click();
  await (await spaces(tab)).getByRole('link', { name: /square/ }).click();
  await is(tab.getByRole('status').getByText('Here you look and act as yourself, @operator.'));
  await tab.locator('svg a.being[aria-label^="nova"]').click();
  await is(tab.getByRole('heading', { name: 'What @operator may do' }));
  assert.equal(await tab.getByRole('group', { name: /the arrow keys walk/ }).count(), 0);
  await isSoundDriven(tab, 'world while one drives');
  await tab.getByRole('link', { name: 'Its inbox' }).click();
  await tab.getByLabel('Say aloud, to all who are here').fill('Somebody drives me.');
  await tab.getByRole('button', { name: 'Say', exact: true }).click();
  await is(card('Its last moments').getByText('Somebody drives me.').first());
  await is(card('Its last moments').getByText('driven by @operator').first());

  // What the worn role does not list is said so; what is refused is a moment that says why.
  const may = card('What you may do here', tab);
  await may.getByText(/What may not be done/).first().click();
  await is(may.getByText('the role that is worn does not list this').first());
  await may.getByText('move', { exact: true }).first().click();
  await may.getByLabel('coords').first().fill('99, 99');
  await may.getByRole('button', { name: 'Do it' }).first().click();
  await is(tab.getByText(/Refused: the place lies outside the space's grid/));
  await tab.getByRole('link', { name: 'the moment' }).last().click();
  await is(tab.getByText('was refused'));
  await is(tab.getByText('off-grid').first());
  await tab.getByRole('link', { name: 'Its inbox' }).click();

  // Somebody summons it while it is driven: the person answers.
  await page.getByLabel('What you ask @nova').fill('Who is there?');
  await page.getByRole('button', { name: 'Summon @nova' }).click();
  const inbox = card('Your inbox', tab);
  await is(inbox.getByText('Who is there?'));
  await inbox.getByLabel('Answer @operator').fill('A person, for now.');
  await inbox.getByRole('button', { name: 'Answer', exact: true }).click();
  await is(page.getByRole('list', { name: 'Thread with @nova' }).getByText('A person, for now.'));
  await is(tab.getByText('Nothing waits in the inbox of @nova.'));

  await tab.getByRole('button', { name: 'Release @nova' }).click();
  await is(tab.getByText('@nova runs by itself.'));
  await isGone(page.locator('.page-head').getByText('driven by @operator'));
  await page.getByLabel('What you ask @nova').fill('And now?');
  await page.getByRole('button', { name: 'Summon @nova' }).click();
  await is(page.getByRole('list', { name: 'Thread with @nova' }).getByText('I am @nova and I walk by myself.'));

  // A tab that goes away gives its being back.
  await tab.getByRole('button', { name: 'Inhabit @nova' }).click();
  await is(page.locator('.page-head').getByText('driven by @operator'));
  await tab.close({ runBeforeUnload: true });
  await isGone(page.locator('.page-head').getByText('driven by @operator'));
});

story('a person is born, comes in by a password, and is told what lineage and role forbid', async () => {
  await open('#/birth');
  await page.getByLabel('Name', { exact: true }).fill('guest');
  await page.getByLabel('a person').check();
  await page.getByLabel('A password, if somebody is to log in as it').fill('let me in please');
  await page.getByLabel('Default role').fill('walker');
  await page.getByLabel('Home', { exact: true }).fill('/square');
  await page.getByLabel('Place on the grid of its home, if it has one').fill('5, 0');
  await page.getByRole('button', { name: 'Give birth only' }).click();
  await is(page.getByRole('heading', { name: '@guest', exact: true }));

  browser.mayBeAway = true; // what a guest may not see is a 403, which the browser reports
  const other = await browser.context(server.base);
  const guest = await other.newPage();
  await open('#/login', guest);
  await guest.getByLabel('Your being').fill('@guest');
  await guest.getByLabel('Password').fill('let me in please');
  await guest.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(guest.getByRole('banner').getByRole('link', { name: /@guest/ }));
  await open('#/drive/pip', guest);
  await is(guest.getByText('You may not inhabit @pip:'));
  await is(guest.getByText(/the role that is worn does not list this|only an ancestor of the being may do this/).first());
  await open('#/me', guest);
  await is(guest.getByRole('heading', { name: 'You are @guest' }));
  await isSound(guest, 'me, as a guest');
  await open('#/cost', guest);
  await is(guest.getByText('You may not see what models cost:', { exact: false }));
  await isSound(guest, 'cost, as a guest');
  await open('#/me', guest);
  // The operator summons, the person answers when they like.
  await page.getByLabel('What you ask @guest').fill('How do you like it?');
  await page.getByRole('button', { name: 'Summon @guest' }).click();
  const inbox = card('Your inbox', guest);
  await is(inbox.getByText('How do you like it?'));
  await inbox.getByLabel('Answer @operator').fill('The duck is nice.');
  await inbox.getByRole('button', { name: 'Answer', exact: true }).click();
  await is(page.getByRole('list', { name: 'Thread with @guest' }).getByText('The duck is nice.'));
  await other.close();
});

story('two tabs of one person share a being, and a server that dies takes it from neither', async () => {
  await open('#/being/nova');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Inhabit in a new tab' }).click();
  const tab = await opened;
  // No lease runs out in a world that stands still, and nobody else speaks: of what is said here the last few words are shown.
  await act('/api/clock', { do: 'pause' });
  await tab.getByRole('button', { name: 'Inhabit @nova' }).click();
  await is(tab.getByRole('heading', { name: 'You drive @nova' }));
  // The second tab says so beforehand, and then shares it.
  await is(page.getByText('You drive it in another tab.'));
  await page.getByRole('link', { name: 'Drive it here too' }).click();
  await page.getByRole('button', { name: 'Drive @nova here too' }).click();
  await is(page.getByRole('heading', { name: 'You drive @nova' }));
  await is(page.getByRole('status').getByText('You drive it in another tab too.'));
  await isSound(page, 'drive in two tabs');
  await page.getByRole('button', { name: 'Stop driving it here' }).click();
  await is(page.getByText('Your other tab goes on as @nova'));
  const say = async (words) => {
    await tab.getByLabel('Say aloud, to all who are here').fill(words);
    await tab.getByRole('button', { name: 'Say', exact: true }).click();
    await is(tab.getByRole('list', { name: 'What was said here' }).getByText(words));
  };
  await say('Still driven.');
  assert.equal((await api('/api/moments?being=@nova&action=say&limit=1')).moments[0].driver, '@operator');

  browser.mayBeAway = true;
  await server.stop('SIGKILL');
  await is(tab.getByRole('alert').getByText('Not connected.'));
  const taken = tab.waitForResponse((response) => response.url().endsWith('/api/heartbeat'));
  await server.start();
  await tab.getByRole('button', { name: 'Try now' }).click({ timeout: 2000 }).catch(() => undefined);
  assert.equal((await taken).status(), 200, 'the lease outlived the server');
  await isGone(tab.getByRole('alert'));
  browser.mayBeAway = false;
  await is(tab.getByRole('heading', { name: 'You drive @nova' }));
  await say('And again.');
  assert.deepEqual((await api('/api/session')).drives, ['@nova']);
  await tab.getByRole('button', { name: 'Release @nova' }).click();
  await is(tab.getByText('@nova runs by itself.'));
  await tab.close();
  await act('/api/clock', { do: 'go' });
});

story('a link to a being inhabits nobody before a button is pressed, and a tab that is loaded anew drives on without taking anything anew', async () => {
  await open('#/');
  const seats = async () => (await api('/api/moments?being=operator&limit=200')).moments.filter(({ action, deed }) => ['inhabit', 'release'].includes(action) && deed.includes('@nova')).length;
  const drives = async () => (await api('/api/session')).drives;
  const before = await seats();
  const tab = await context.newPage();
  const button = tab.getByRole('button', { name: 'Inhabit @nova' });
  for (const _ of ['once', 'pasted twice']) {
    await open('#/drive/nova', tab);
    await is(button);
    await is(tab.getByText('@nova runs by itself.'));
  }
  await isSound(tab, 'before one drives');
  assert.deepEqual([await drives(), await seats()], [[], before]);
  await button.click();
  const driven = tab.getByRole('heading', { name: 'You drive @nova' });
  await is(driven);
  assert.equal(await seats(), before + 1);
  for (const _ of ['once', 'again']) {
    await tab.reload();
    await is(driven);
  }
  assert.deepEqual([await drives(), await seats()], [['@nova'], before + 1], 'it was neither given back nor taken anew');
  // Another link in the same tab, and the same link in another one, take nothing.
  const other = await context.newPage();
  await open('#/drive/nova', other);
  await is(other.getByRole('button', { name: 'Drive @nova here too' }));
  await other.close();
  await open('#/drive/pip', tab);
  await is(tab.getByRole('button', { name: 'Inhabit @pip' }));
  await is(tab.getByRole('status').getByText('Here you look and act as yourself, @operator.'));
  assert.deepEqual(await drives(), ['@nova']);
  // Given back from elsewhere, it stays so, however often the tab is loaded anew.
  browser.mayBeAway = true; // a heartbeat for what one drives no more is a 409, which the browser reports
  await tab.goto('about:blank');
  await act('/api/release', { being: '@nova' });
  assert.deepEqual([await drives(), await seats()], [[], before + 2]);
  await open('#/drive/nova', tab);
  await is(tab.getByRole('alert').getByText('You drive @nova no more.'));
  await tab.reload();
  await is(button);
  assert.deepEqual([await drives(), await seats()], [[], before + 2]);
  browser.mayBeAway = false;
  await tab.close();
});

story('whoever is driven by somebody else, or is not there, is not offered', async () => {
  await act('/api/be', { operation: 'birth', payload: { name: 'aunt', cognition: 'human', defaultRole: 'operator', home: '/square', grants: ['*'] } });
  await act('/api/password', { being: '@aunt', password: PASSWORD });
  const other = await browser.context(server.base);
  const aunt = await other.newPage();
  browser.mayBeAway = true; // until one has logged in one is a visitor
  await open('#/login', aunt);
  await aunt.getByLabel('Your being').fill('aunt');
  await aunt.getByLabel('Password').fill(PASSWORD);
  await aunt.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(aunt.getByRole('banner').getByRole('link', { name: /@aunt/ }));
  await aunt.waitForURL(at('#/'));
  await act('/api/be', { operation: 'birth', payload: { name: 'kid', parent: '@aunt', cognition: 'script', script: 'walker', defaultRole: 'walker', home: '/square' } });
  await open('#/drive/kid', aunt);
  await aunt.getByRole('button', { name: 'Inhabit @kid' }).click();
  await is(aunt.getByRole('heading', { name: 'You drive @kid' }));
  await open('#/being/kid');
  await is(page.locator('.page-head').getByText('@aunt drives it now'));
  assert.ok(await page.getByRole('button', { name: 'Inhabit', exact: true }).isDisabled());
  await isSound(page, 'being that somebody else drives');
  await open('#/drive/kid');
  await is(page.getByRole('alert').getByText('@aunt drives @kid now.'));
  await open('#/drive/nobody');
  await is(page.getByRole('alert').getByText('There is nobody called @nobody in this world.'));
  await isSound(page, 'driving nobody');
  browser.mayBeAway = false;
  await aunt.getByRole('button', { name: 'Release @kid' }).click();
  await is(aunt.getByText('@kid runs by itself.'));
  await open('#/drive/kid');
  await page.getByRole('button', { name: 'Inhabit @kid' }).click();
  await is(page.getByRole('heading', { name: 'You drive @kid' }));
  await page.getByRole('button', { name: 'Release @kid' }).click();
  await is(page.getByText('@kid runs by itself.'));
  await other.close();
});

story('an edited role keeps all that was not edited', async () => {
  const stone = { name: 'stone', description: 'Lies there.', triggerOn: [], canSee: [{ rel: 'here' }], respondMode: 'none', actsForCaller: true, thinks: '2s', prompt: 'You are a stone.' };
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'stone', role: stone } });
  const written = (await api('/api/roles/stone')).role;
  assert.deepEqual(written.triggerOn, []);
  await open('#/roles/stone');
  await is(page.getByText('Nothing that others say or do wakes whoever wears it.'));
  await isGone(page.getByText('not published'));
  await page.getByLabel('What it is, in a sentence').fill('Lies where it lay.');
  await page.getByLabel('What it is, in a sentence').press('Tab');
  await publish();
  await is(page.getByText('version 2', { exact: true }));
  assert.deepEqual((await api('/api/roles/stone')).role, { ...written, description: 'Lies where it lay.' });
});

story('a role says when it may be worn, and what wakes its wearer', async () => {
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'lamp', role: { name: 'lamp', prompt: 'You are a lamp.' } } });
  await open('#/roles/lamp');
  const when = card('When it may be worn');
  await is(when.getByText('In every moment.'));
  await when.getByRole('button', { name: '+ condition' }).click();
  await when.getByLabel('Path', { exact: true }).fill('me.nmae');
  await is(when.getByText(/expected a path that a moment has, found `me.nmae`/));
  await is(page.getByRole('button', { name: 'Publish the role', disabled: true }));
  await when.getByLabel('Path', { exact: true }).fill('world.square.festival');
  await when.getByLabel('Value for world.square.festival').fill('true');
  await when.getByLabel('Value for world.square.festival').press('Tab');
  const watch = page.getByRole('group', { name: /^watch/ });
  await watch.getByLabel('Kind of entry for watch').selectOption('bound');
  await watch.getByLabel('Entry for watch', { exact: true }).fill('say');
  await watch.getByLabel('On what', { exact: true }).fill('here');
  await watch.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel(/^World time that its wearer rests/).fill('5s');
  await page.getByLabel(/^World time that its wearer rests/).press('Tab');
  await isSound(page, 'role with a when and a watch');
  await publish();
  await is(page.getByText('version 2', { exact: true }));
  const { role } = await api('/api/roles/lamp');
  assert.deepEqual([role.when, role.watch, role.rest], [{ 'world.square.festival': true }, [{ action: 'say', on: { rel: 'here' } }], '5s']);
  // Taken out again, the role is worn whenever a flow names it.
  await when.getByRole('button', { name: 'Take this condition out' }).click();
  await is(when.getByText('In every moment.'));
  await publish();
  await is(page.getByText('version 3', { exact: true }));
  assert.equal((await api('/api/roles/lamp')).role.when, undefined);
});

story('a space stacks a role on whoever stands inside, and nobody overwrites what somebody else published', async () => {
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'hushed', role: { name: 'hushed', prompt: 'You whisper here.' } } });
  await open('#/space/square');
  await spaces();
  await page.getByRole('link', { name: 'What it stacks' }).click();
  await is(page.getByText('Nothing: whoever stands here wears what they bring.'));
  await page.getByRole('button', { name: 'Add a clause' }).click();
  await page.getByLabel('Role of clause 0').fill('hushd');
  await is(page.getByText(/the role `hushd` is not registered/));
  await page.getByLabel('Role of clause 0').fill('hushed');
  await isGone(page.getByText(/is not registered/));
  await isSound(page, 'what a space stacks');
  await page.getByRole('button', { name: 'Publish it' }).click();
  await isGone(page.getByText('not published'));
  assert.deepEqual(await api('/api/see?address=/square/.flow'), [{ role: 'hushed', stack: true, when: {} }]);
  const inside = (await api('/api/see?address=/square')).beings[0].name;
  assert.equal((await api(`/api/see?address=@${inside}`)).wearing.at(-1), 'hushed');
  await page.getByRole('button', { name: 'Add a clause' }).click();
  await page.getByLabel('Role of clause 1').fill('gardener');
  await act('/api/do', { target: '/square', action: 'flow.set', args: { flow: [] } });
  await page.getByRole('button', { name: 'Publish it' }).click();
  await is(page.getByText('Somebody published another version of what /square stacks meanwhile.'));
  await is(card('What both have changed').getByText('always wear hushed on top; always wear gardener on top'));
  assert.deepEqual(await api('/api/see?address=/square/.flow'), []);
  await page.getByRole('button', { name: 'Read theirs, and drop mine' }).click();
  await is(page.getByText('Nothing: whoever stands here wears what they bring.'));
  await isGone(page.getByText('not published'));
});

story('what a flow was asked about is asked no further once its page was left', async () => {
  let release = () => {};
  const held = new Promise((resolve) => { release = resolve; });
  let asks = 0;
  const count = (request) => { if (request.url().endsWith('/api/flow/now')) asks += 1; };
  await page.route('**/api/lint', async (route) => { await held; await route.continue(); });
  const linted = page.waitForRequest('**/api/lint');
  await open('#/flow/mira');
  const lint = await linted;
  page.on('request', count);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Roles' }).click();
  await is(page.getByRole('heading', { name: 'Roles', exact: true }));
  release();
  await (await lint.response()).finished();
  // Whatever would be asked on has been by the time that another answer came.
  await page.evaluate(() => fetch('/api/roles').then((response) => response.text()));
  page.off('request', count);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  assert.equal(asks, 0);
});

story('a draft is asked about before it is left, kept while one is elsewhere, and never put over what somebody else published', async () => {
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'pebble', role: { name: 'pebble', prompt: 'You are a pebble.' } } });
  const about = page.getByLabel('What it is, in a sentence');
  const leave = page.getByRole('dialog', { name: 'Leave your draft of pebble?' });
  const roles = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Roles' });
  await open('#/roles/pebble');
  await about.fill('A draft of mine.');
  await about.press('Tab');
  await is(page.getByText('not published'));
  await roles.click();
  await is(leave);
  await isSound(page, 'leaving a draft');
  await leave.getByRole('button', { name: 'Stay here' }).click();
  await isGone(leave);
  assert.equal(page.url(), at('#/roles/pebble'));
  assert.equal(await about.inputValue(), 'A draft of mine.');
  await roles.click();
  await leave.getByRole('button', { name: 'Leave and keep it' }).click();
  await is(page.getByRole('heading', { name: 'Roles', exact: true }));
  await is(page.getByText('Not published yet: pebble'));
  await isSound(page, 'roles while a draft waits');
  // The browser asks before the tab is closed.
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await page.getByRole('link', { name: 'pebble', exact: true }).first().click();
  await is(page.getByText('not published'));
  assert.equal(await about.inputValue(), 'A draft of mine.');
  // While it is kept somebody else publishes.
  await roles.click();
  await leave.getByRole('button', { name: 'Leave and keep it' }).click();
  const { role, version } = await api('/api/roles/pebble');
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'pebble', role: { ...role, description: 'Theirs.' } } });
  await page.getByText('Not published yet:').getByRole('link', { name: 'pebble' }).click();
  await is(page.getByText('Somebody published another version of pebble meanwhile.'));
  assert.ok(await page.getByRole('button', { name: 'Publish the role' }).isDisabled());
  assert.equal((await api('/api/roles/pebble')).version, version + 1);
  await page.getByRole('button', { name: 'Keep mine on top of theirs' }).click();
  await publish();
  await is(page.getByText(`version ${version + 2}`, { exact: true }));
  assert.equal((await api('/api/roles/pebble')).role.description, 'A draft of mine.');
  // Whoever changed another part takes both, also after the page was loaded anew.
  await about.fill('A second draft.');
  await about.press('Tab');
  await is(page.getByText('not published'));
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'pebble', role: { ...role, description: 'A draft of mine.', prompt: 'You are a round pebble.' } } });
  await page.reload();
  await is(card('What both have changed').getByRole('row').filter({ hasText: 'prompt' }).getByText('theirs', { exact: true }));
  await is(card('What both have changed').getByRole('row').filter({ hasText: 'description' }).getByText('yours', { exact: true }));
  await page.getByRole('button', { name: 'Take both' }).click();
  await isGone(page.getByText('Somebody published another'));
  await publish();
  await is(page.getByText(`version ${version + 4}`, { exact: true }));
  const { description, prompt } = (await api('/api/roles/pebble')).role;
  assert.deepEqual([description, prompt], ['A second draft.', 'You are a round pebble.']);
  // A flow is asked about as well, and what is dropped is gone.
  await open('#/flow/mira');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByLabel('The flow as JSON').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('half a clause ');
  await roles.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave and keep it' }).click();
  await page.getByText('Not published yet:').getByRole('link', { name: 'the flow of @mira' }).click();
  await is(page.getByLabel('The flow as JSON').getByText('half a clause'));
  await roles.click();
  await page.getByRole('dialog', { name: 'Leave your draft of the flow of @mira?' }).getByRole('button', { name: 'Drop it' }).click();
  await is(page.getByRole('heading', { name: 'Roles', exact: true }));
  await isGone(page.getByText('Not published yet:'));
  await open('#/flow/mira');
  await is(page.getByText('The lint has nothing to say.'));
  await is(clause(1).getByText('gardener', { exact: true }));
});

story('another person in the same browser sees no draft of whoever sat there before, and changes none', async () => {
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'flint', role: { name: 'flint', prompt: 'You are a flint.' } } });
  await act('/api/be', { operation: 'birth', payload: { name: 'second', cognition: 'human', home: '/square', defaultRole: 'operator', grants: ['*'] } });
  await act('/api/password', { being: '@second', password: 'let me in please' });
  const about = page.getByLabel('What it is, in a sentence');
  const header = (name) => page.getByRole('banner').getByRole('link', { name });
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith('reelm-draft ')).sort()));
  await open('#/roles/flint');
  await about.fill('The words of the operator.');
  await about.press('Tab');
  await is(page.getByText('not published'));
  const before = await kept();
  assert.match(before, /The words of the operator/);
  browser.mayBeAway = true; // the stream of whoever sat here before ends with their session
  const tab = await context.newPage();
  await open('#/', tab);
  assert.equal(await login('second', 'let me in please'), 200);
  await is(header(/@second/));
  await is(about);
  assert.equal(await about.inputValue(), '');
  assert.equal(await kept(), before);
  await about.fill('The words of the other.');
  await about.press('Tab');
  await is(page.getByText('not published'));
  assert.equal(await login('operator', PASSWORD), 200);
  await is(header(/@operator/));
  await is(page.getByText('not published'));
  assert.equal(await about.inputValue(), 'The words of the operator.');
  browser.mayBeAway = false;
  await tab.close();
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await is(about);
});

story('a moment says what woke it by name, day and time', async () => {
  const opened = async (query) => {
    const { seq } = (await api(`/api/moments?${query}&limit=50`)).moments.find((moment) => moment.wake === 'schedule' || query.includes('operator'));
    await open(`#/moment/${seq}`);
    await is(page.getByRole('heading', { name: `Moment ${seq}`, exact: true }));
    await is(card('The wake').getByText(/./).first());
    return (await card('What happened').innerText()) + (await card('The wake').innerText()) + (await card('Facts').innerText());
  };
  const scheduled = await opened('being=pip');
  assert.match(scheduled, /its schedule step\b/);
  assert.match(scheduled, /due\s+2026-05-\d\d \d\d:\d\d:\d\d/);
  const gesture = await opened('being=operator');
  assert.match(gesture, /a gesture/);
  for (const text of [scheduled, gesture]) assert.doesNotMatch(text, /\d\.\d{10}|\b1[0-9]{12}\b/, 'neither ids of facts nor milliseconds');
});

story('the past is dragged to, the page shows that time, nothing can be done there, and one comes back to now', async () => {
  await open('#/');
  await act('/api/clock', { do: 'go' });
  // A past worth the name.
  await until(page, async () => (await (await fetch('/api/moments?being=pip')).json()).moments.length > 8);
  await open('#/space/square');
  await page.reload();
  const dock = card('Timeline');
  const slider = dock.getByRole('slider', { name: 'The past of this world' });
  await slider.waitFor();
  await isSound(page, 'timeline at now');
  const box = await slider.boundingBox();
  const [middle, y] = [box.x + box.width * 0.7, box.y + box.height / 2];
  await page.mouse.move(box.x + box.width * 0.9, y);
  await page.mouse.down();
  await page.mouse.move(middle, y, { steps: 5 });
  await page.mouse.up();
  await is(dock.getByText('As it was:'));
  await page.waitForFunction(() => /[?&]at=\d+/.test(location.search));
  await page.waitForFunction(() => new URL(location.href).searchParams.get('at') === document.querySelector('[role=slider]').getAttribute('aria-valuenow'));
  const at_ = () => page.evaluate(() => Number(new URL(location.href).searchParams.get('at')));
  const seq = await at_();
  const then = await api(`/api/world?at=${seq}`);
  // The clock, the tree and the moments are those of then, also while the world goes on.
  await is(page.getByRole('group', { name: 'Clock of the world' }).getByText(then.time.slice(11, 19), { exact: true }));
  const newest = (await api('/api/world')).seq;
  await until(page, async (seq) => (await (await fetch('/api/world')).json()).seq > seq, newest);
  await is(page.getByRole('group', { name: 'Clock of the world' }).getByText(then.time.slice(11, 19), { exact: true }));
  const shown = await page.locator('.story [data-seq]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.seq)));
  assert.ok(shown.length > 0 && shown.every((each) => each < seq), `${shown} < ${seq}`);
  const space = (tree, address) => (tree.address === address ? tree : tree.spaces.map((inner) => space(inner, address)).find(Boolean));
  const pip = space(await api(`/api/tree?at=${seq}`), '/square').beings.find((being) => being.name === 'pip');
  await page.waitForFunction((where) => document.querySelector('svg a.being[aria-label^="pip"]')?.getAttribute('aria-label').includes(where), `${pip.coords.x}, ${pip.coords.y}`);
  // Nothing is offered.
  assert.equal(await page.getByRole('button', { name: 'Pause the world' }).count(), 0);
  await page.locator('svg a.matter[aria-label^="fountain"]').click();
  await is(card('Panel of /square/fountain').getByText('You look at the past, where nothing can be done.'));
  assert.equal(await card('Panel of /square/fountain').getByText('quality.set', { exact: true }).count(), 0);
  await isSound(page, 'the past');
  await open('#/signals');
  await is(page.getByText('square.festival'));
  assert.equal(new URL(page.url()).searchParams.get('at'), null, 'an address without a point is now');
  await page.goto(`${server.base}/?at=${seq}#/signals`);
  await is(dock.getByText('As it was:'));
  assert.ok(await page.getByRole('button', { name: /^Make it|^Publish the signal/ }).first().isDisabled());
  // By keys: a moment of the world, a moment of the being whose page is open, a point in words, and back.
  await page.locator('main').press('Shift+ArrowLeft');
  await page.waitForFunction((to) => Number(new URL(location.href).searchParams.get('at')) === to, seq - 1);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'World' }).click();
  await page.evaluate(() => { location.hash = '#/being/pip'; });
  await is(page.getByRole('heading', { name: '@pip', exact: true }));
  const { moments: [last] } = await api(`/api/moments?being=pip&before=${seq - 1}&limit=1`);
  await page.locator('main').press('ArrowLeft');
  await page.waitForFunction((to) => Number(new URL(location.href).searchParams.get('at')) === to, last.seq);
  await isGone(page.getByRole('region', { name: 'Its last moments' }).locator(`[data-seq="${last.seq}"]`));
  await page.locator('main').press('ArrowRight');
  await page.waitForFunction((to) => Number(new URL(location.href).searchParams.get('at')) === to, last.seq + 1);
  await is(page.getByRole('region', { name: 'Its last moments' }).locator(`[data-seq="${last.seq}"]`));
  const field = dock.getByLabel('Go to a point of the past');
  await more(dock);
  browser.mayBeAway = true; // a point that there is not is a 400, which the browser reports
  await field.fill('@nobody/7');
  await field.press('Enter');
  await is(dock.getByRole('alert').getByText(/no being `@nobody`/));
  browser.mayBeAway = false;
  await field.fill('@pip/1');
  await field.press('Enter');
  await field.waitFor({ state: 'hidden' });
  await page.waitForFunction((to) => Number(new URL(location.href).searchParams.get('at')) < to, last.seq);
  await page.locator('main').press('Escape');
  await isGone(dock.getByText('As it was:'));
  assert.equal(new URL(page.url()).searchParams.get('at'), null);
  // What happened meanwhile is all there, once.
  await open('#/');
  await is(page.getByRole('button', { name: 'Pause the world' }));
  // A moment leads to its world.
  await open(`#/moment/${last.seq}`);
  await is(card('What led to it'));
  await is(card('What it woke'));
  await isSound(page, 'moment with its causes');
  await page.getByRole('button', { name: 'Show the world then' }).click();
  await is(dock.getByText('As it was:'));
  await is(card('Panel of @pip'));
  await slider.press('End');
  await isGone(dock.getByText('As it was:'));
});

story('the past is played and looked at from near, a life stands as lanes whose marks open moments, and two points are compared', async () => {
  const { dock, slider } = await pipsLife();
  const point = () => page.evaluate(() => Number(new URL(location.href).searchParams.get('at')));
  const isAt = (wanted) => page.waitForFunction((to) => Number(new URL(location.href).searchParams.get('at')) === to, wanted);
  const go = async (text) => { await more(dock); await dock.getByLabel('Go to a point of the past').fill(text); await dock.getByLabel('Go to a point of the past').press('Enter'); };

  // From near: around the pointer by the wheel, and out again by a key.
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -100);
  await is(dock.getByRole('button', { name: 'All', exact: true }));
  const [narrow] = await dock.locator('.whole span').evaluateAll((spans) => spans.map((span) => parseFloat(span.style.width)));
  assert.ok(narrow > 0 && narrow < 95, `${narrow} %`);
  await slider.press('+');
  await page.waitForFunction((before) => parseFloat(document.querySelector('.dock .whole span')?.style.width) < before, narrow);
  await isSound(page, 'timeline from near');
  // What is shown is dragged under the hand, and a click goes there.
  const left = () => dock.locator('.whole span').evaluate((span) => parseFloat(span.style.left));
  const before = await left();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((was) => parseFloat(document.querySelector('.dock .whole span')?.style.left) < was, before);
  assert.equal(await point(), 0, 'nobody went anywhere');
  // Now comes along into what is shown.
  await slider.press('End');
  await page.waitForFunction(() => { const span = document.querySelector('.dock .whole span'); return parseFloat(span.style.left) + parseFloat(span.style.width) > 99.5; });
  await slider.press('0');
  await isGone(dock.getByRole('button', { name: 'All', exact: true }));

  // Played on from a point, and back to the first frame, where it stops: on the page of the world, as nobody lived that early.
  await page.evaluate(() => { location.hash = '#/'; });
  await go('20');
  await isAt(20);
  await slider.focus();
  await slider.press('Space');
  await page.waitForFunction(() => Number(new URL(location.href).searchParams.get('at')) > 22);
  await slider.press('Space');
  await is(dock.getByRole('button', { name: 'Play on' }));
  await more(dock);
  await dock.getByLabel('What passes in a second').selectOption('100 moments/s');
  await dock.getByRole('button', { name: 'Play back' }).click();
  await isAt(1);
  await is(dock.getByRole('button', { name: 'Play back' }));
  // On to the end it comes to now.
  await go('~1m');
  await is(dock.getByText('As it was:'));
  await dock.getByRole('button', { name: 'Play on' }).click();
  await isGone(dock.getByText('As it was:'));
  // To a condition.
  await go('when {"moment.being": "pip", "moment.closing": "act"}');
  const all = [];
  for (let next = ''; next !== null; ) {
    const { moments, before } = await api(`/api/moments?being=pip&closing=act&limit=200${next}`);
    all.push(...moments);
    next = before ? `&before=${before}` : null;
  }
  await isAt(all.at(-1).seq + 1);
  await page.evaluate(() => { location.hash = '#/being/pip'; });

  // Its life: a mark is said in words, and opens its moment, by hand and by keys.
  await slider.press('End');
  await isGone(dock.getByText('As it was:'));
  const life = card('Its life');
  const lanes = life.getByRole('slider', { name: 'Moments of @pip' });
  await is(life.getByText(/\d+ moments/));
  await isSound(page, 'a life');
  await lanes.focus();
  await lanes.press('End');
  await page.waitForFunction(() => /2026/.test(document.title) || /Fri|Sat|Sun|Mon|Tue|Wed|Thu/.test(document.querySelector('.lanes')?.getAttribute('aria-valuetext') ?? ''));
  // In a long life the last mark may stand for several: it opens one of the newest tenth.
  const newest = (await api('/api/moments?being=pip')).moments[0].seq;
  await lanes.press('Enter');
  await page.waitForFunction((newest) => Number(/^#\/moment\/(\d+)$/.exec(location.hash)?.[1] ?? 0) > 0.9 * newest, newest);
  await is(page.getByRole('group', { name: 'Steps of @pip' }));
  await page.evaluate(() => { location.hash = '#/being/pip'; });
  await is(life.getByText(/\d+ moments/));
  // Where many lie together a click comes nearer, until it means one.
  const narrowed = () => page.evaluate(() => (location.hash.startsWith('#/moment/') ? 0 : parseFloat(document.querySelector('.dock .whole span')?.style.width ?? '100')));
  for (let width = await narrowed(); width > 0; width = await narrowed()) {
    const first = await life.locator('rect.act').first().boundingBox();
    await page.mouse.move(first.x + 1, first.y + 4);
    await is(life.locator('.tip').getByText(/\d\d:\d\d:\d\d/));
    await page.mouse.click(first.x + 1, first.y + 4);
    await page.waitForFunction((width) => location.hash.startsWith('#/moment/') || parseFloat(document.querySelector('.dock .whole span')?.style.width ?? '100') < width, width);
  }
  await is(page.getByRole('heading', { name: /^Moment \d+$/ }));
  await is(card('What it changed'));

  // Steps on the page of the moment and on that of the being.
  const seq = Number(/moment\/(\d+)/.exec(page.url())[1]);
  const steps = page.getByRole('group', { name: 'Steps of @pip' });
  await steps.getByLabel('To what one steps').selectOption('act');
  await steps.getByRole('button', { name: 'On to the next' }).click();
  const later = all.filter((moment) => moment.seq > seq).at(-1);
  await page.waitForFunction((to) => location.hash === `#/moment/${to}`, later.seq);
  await isSound(page, 'moment with what it changed');
  await page.evaluate(() => { location.hash = '#/being/pip'; });
  await steps.getByRole('button', { name: 'Back to the last' }).click();
  // Now stands right behind the newest moment: back leads before that.
  const end = (await api('/api/world')).seq;
  const last = all.find((moment) => moment.seq + 1 < end);
  await isAt(last.seq + 1);
  await is(steps.getByRole('link', { name: `#${last.seq}` }));

  // Two points beside one another.
  await dock.getByRole('button', { name: 'Mark this point' }).click();
  // Pip walks in circles: another point is one at which he stood elsewhere.
  const other = all.findLast((moment) => JSON.stringify(moment.coords) !== JSON.stringify(last.coords)).seq + 1;
  await go(String(other));
  await isAt(other);
  await dock.getByRole('link', { name: 'Compare with the mark' }).click();
  await is(page.getByRole('heading', { name: 'Two points compared' }));
  await is(card('What differs').getByRole('link', { name: '@pip' }));
  await isSound(page, 'two points');
  await dock.getByRole('button', { name: 'Back to now' }).click();
  await act('/api/clock', { do: 'go' });
});

story('header and dock show one instant at every frame of a run at ×600, and the pace that is reached stands beside it', async () => {
  await open('#/');
  // All of the past is shown, whatever was looked at before.
  await page.getByRole('slider', { name: 'The past of this world' }).press('0');
  await page.locator('.dock .then').waitFor();
  await page.getByRole('button', { name: 'Pace ×600' }).click();
  await act('/api/clock', { do: 'go' });
  await is(page.getByRole('button', { name: 'Pace ×600', pressed: true }));
  // Every frame is looked at until the clock has shown so many instants.
  const watch = (many) => page.evaluate((many) => new Promise((done) => {
    const seen = new Set();
    const apart = [];
    const look = () => {
      const [header, dock] = ['header .hour', '.dock .then'].map((each) => document.querySelector(each)?.textContent ?? '');
      if (header !== dock) apart.push(`${header} and ${dock}`);
      seen.add(header);
      if (seen.size >= many) done(apart);
      else requestAnimationFrame(look);
    };
    look();
  }), many);
  assert.deepEqual(await watch(40), []);
  await is(page.getByRole('group', { name: 'Clock of the world' }).getByText(/^reaches ×[\d.]+$/));
  // Also while somebody drags it.
  const box = await page.getByRole('slider', { name: 'The past of this world' }).boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
  await page.mouse.down();
  const watched = watch(4);
  for (let part = 5; part > 0; part -= 0.25) await page.mouse.move(box.x + box.width * part * 0.1, box.y + box.height / 2);
  assert.deepEqual(await watched, []);
  await page.mouse.up();
  // Moments come anew as soon as the page is back.
  const toNow = async (arrive) => {
    const isLive = page.waitForRequest(/api.events/);
    await page.locator('main').press('Escape');
    arrive?.();
    await isLive;
  };
  await toNow();
  await is(page.getByText('You see now'));
  // Whoever thinks better of it while the page is on its way to the past sees now.
  let arrive;
  const mayArrive = new Promise((done) => { arrive = done; });
  await page.route(/api.world.at=/, async (route) => {
    await mayArrive;
    await route.continue();
  });
  const leaving = page.waitForRequest(/api.world.at=/);
  await page.locator('main').press('Home');
  await leaving;
  await toNow(arrive);
  await page.unroute(/api.world.at=/);
  // The world is asked for every few seconds; an answer that is older than the stream's clock does not take its place.
  let isFetched, go;
  const [fetched, mayGo] = [new Promise((done) => { isFetched = done; }), new Promise((done) => { go = done; })];
  // One that leaves before anything holds it back is followed by another.
  const asked = page.waitForRequest('**/api/world', { timeout: 120_000 });
  await page.route('**/api/world', async (route) => {
    const response = await route.fetch();
    isFetched(route.request());
    await mayGo;
    await route.fulfill({ response });
  });
  await asked;
  const old = await fetched;
  await act('/api/clock', { pace: 40 });
  const chosen = page.getByRole('button', { name: 'Pace ×40', pressed: true });
  await is(chosen);
  go();
  await (await old.response()).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await chosen.count(), 1);
  await page.unroute('**/api/world');
});

story('two hundred samples at ×600: each number and sentence equals the API\'s at the seq that the strip names', async () => {
  const factory = new Server([join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/worlds/skateco'), '--pace', '600']);
  await factory.start();
  browser.others.add(factory.base);
  const tab = await context.newPage();
  await tab.goto(factory.link);
  await tab.locator('header.strip[data-seq] .measure').first().waitFor();
  // Every sixth frame is a sample: the seq, the sentence, the numbers and the first curve.
  const samples = await tab.evaluate((many) => new Promise((done) => {
    const seen = [];
    let frame = 0;
    const look = () => {
      const strip = document.querySelector('header.strip');
      if (strip && frame++ % 6 === 0) {
        const cards = [...strip.querySelectorAll('.measure')];
        seen.push({
          seq: Number(strip.getAttribute('data-seq')), say: strip.querySelector('.now')?.textContent ?? '',
          values: cards.map((card) => card.querySelector('.value').firstChild.textContent), curve: cards[0]?.querySelector('.line')?.getAttribute('d') ?? '',
        });
      }
      if (seen.length >= many) done(seen);
      else requestAnimationFrame(look);
    };
    look();
  }), 200);
  await tab.evaluate(() => fetch('/api/clock', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"do":"pause"}' }));
  const text = (value) => value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2 });
  const told = new Map();
  for (const { seq, say, values } of samples) {
    if (!told.has(seq)) told.set(seq, await tab.evaluate(async (seq) => (await fetch(`/api/world?at=${seq}`)).json(), seq));
    const { now, measures } = told.get(seq);
    const first = measures.filter((measure) => typeof measure.now === 'number').slice(0, 3).map((measure) => text(measure.now));
    assert.deepEqual([say, values], [now.say, first], `at ${seq}`);
  }
  assert.ok(told.size > 5, `the strip has named ${told.size} seqs`);
  // The boards that were packed only grow, and so does their curve: down the screen the numbers of its points fall.
  for (const { curve } of samples) {
    const heights = [...curve.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    assert.deepEqual(heights, heights.toSorted((a, b) => b - a), curve);
  }
  assert.ok(samples.some(({ curve }) => curve !== ''), 'a curve is drawn once the past is read');
  await tab.close();
  await factory.stop();
});

story('by a few letters one goes to anything, and keys work where nobody writes', async () => {
  await open('#/');
  const clock = page.getByRole('group', { name: 'Clock of the world' });
  const field = page.getByRole('combobox', { name: 'Where to' });
  const go = async (text, key = 'Control+k') => {
    await page.keyboard.press(key);
    await field.fill(text);
  };
  await page.locator('main').focus();
  await go('pi');
  await is(page.getByRole('option', { name: /^pip/, selected: true }));
  await isSound(page, 'go to anything');
  await field.press('Enter');
  await page.waitForFunction(() => location.hash === '#/being/pip');
  await isGone(field);
  await page.locator('main').focus();
  await go('fountain', '/');
  await page.getByRole('option', { name: /^fountain/ }).click();
  await page.waitForFunction(() => location.hash.includes('fountain'));
  await go('square.festival');
  await is(page.getByRole('option', { name: /signal/ }));
  // A setting leads into its own form.
  await field.fill('brakes.depth');
  await is(page.getByRole('option', { name: /^brakes\.depth setting/, selected: true }));
  await field.press('Enter');
  await page.waitForFunction(() => document.activeElement?.closest('[aria-label="brakes.depth"]') && document.activeElement.matches('input'));
  await page.locator('main').focus();
  await go('gardener');
  await is(page.getByRole('option', { name: /role/ }).first());
  // An end is no end: up from the first is the last.
  const last = await page.getByRole('option').last().getAttribute('id');
  await field.press('ArrowUp');
  assert.equal(await field.getAttribute('aria-activedescendant'), last);
  // What is wrong with a time is said where it is typed; a good one leads there.
  browser.mayBeAway = true; // a point that there is not is a 400, which the browser reports
  await field.fill('@nobody/7');
  await field.press('Enter');
  await is(page.getByRole('dialog', { name: 'Go to anything' }).getByText(/no being `@nobody`/));
  browser.mayBeAway = false;
  await page.evaluate(() => { location.hash = '#/'; });
  await isGone(field);
  browser.mayBeAway = true; // a being that was not born then is a 404, where the page still asked for it
  await go('#5');
  await is(page.getByRole('option', { name: /^Moment 5/ }));
  await field.press('Enter');
  await page.waitForFunction(() => new URL(location.href).searchParams.get('at') === '5');
  await isGone(field);
  await page.locator('main').press('n');
  await is(page.getByText('You see now'));
  browser.mayBeAway = false;
  // Keys: a page by two letters, the pace by a digit, Space holds the time; in a field they are letters.
  await page.locator('main').press('g');
  await page.locator('main').press('m');
  await page.waitForFunction(() => location.hash === '#/moments');
  await page.locator('main').press('2');
  await is(page.getByRole('button', { name: 'Pace ×10', pressed: true }).first());
  await page.locator('main').press('Space');
  await is(clock.getByText('paused', { exact: true }));
  await page.locator('main').press('Space');
  await is(page.getByRole('button', { name: 'Pause the world' }));
  await page.locator('main').press('Home');
  await page.waitForFunction(() => new URL(location.href).searchParams.get('at') === '1');
  await page.locator('main').press('End');
  await is(page.getByText('You see now'));
  // What publishes nothing is not pressed by the key that publishes.
  await open('#/moment/5');
  await is(page.getByRole('button', { name: 'Show the world then' }));
  await page.locator('main').press('Control+s');
  await is(page.getByText('You see now'));
  await page.locator('main').press('?');
  const keys = page.getByRole('dialog', { name: 'All keys' });
  await is(keys.getByText('Go to anything'));
  await isSound(page, 'all keys');
  assert.equal(new URL(page.url()).searchParams.get('at'), null);
  await page.keyboard.press('1');
  await page.keyboard.press('Escape');
  await isGone(keys);
  await is(page.getByRole('button', { name: 'Pace ×10', pressed: true }).first());
  await clock.getByLabel('More of the clock').click();
  await page.getByLabel('Pace, 0.01 to 600').fill('');
  await page.getByLabel('Pace, 0.01 to 600').pressSequentially('4 ');
  await is(page.getByRole('button', { name: 'Pace ×10', pressed: true }).first());
  await act('/api/clock', { pace: 40 });
});

story('what lies ahead stands behind now, in words and in the colours of the page, and leads nowhere', async () => {
  // As a server tells it; what it tells of this world depends on the hour.
  const told = async (route) => {
    const now = Date.parse((await (await page.context().request.get(`${server.base}/api/world`)).json()).time);
    const due = [['break', 20], ['tour', 20], ['long gone', -5]].map(([what, minutes]) => ({ at: now + minutes * 60_000, time: new Date(now + minutes * 60_000).toISOString(), who: '@mo', what, kind: 'schedule' }));
    await route.fulfill({ json: { until: new Date(now).toISOString(), due, more: 0 } });
  };
  await page.route('**/api/ahead*', told);
  const { dock, slider } = await pipsLife();
  const ahead = dock.getByRole('list', { name: 'What lies ahead' });
  await is(ahead);
  assert.deepEqual((await ahead.getByRole('listitem').allTextContents()).map((text) => text.replace(/\d\d:\d\d/, 'then')), ['break at then, mo', 'tour at then, mo']);
  await isSound(page, 'what lies ahead');
  // Each point of the screen is drawn, in what the tokens come to: by day, by night, in the past.
  const isDrawn = () => page.waitForFunction(() => {
    const canvas = document.querySelector('.dock canvas');
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--dock-due)';
    const brush = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
    brush.fillStyle = getComputedStyle(probe).color;
    brush.fillRect(0, 0, 1, 1);
    probe.remove();
    const [wanted, is] = [brush.getImageData(0, 0, 1, 1), canvas.getContext('2d').getImageData(canvas.width - 2, 20, 1, 1)].map(({ data }) => [...data].join(' '));
    return wanted === is && canvas.width === Math.round(canvas.clientWidth * devicePixelRatio);
  });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await isDrawn();
  }
  await page.emulateMedia({ colorScheme: null });
  // A pointer on a sign is told the word; a press there is now.
  const box = await slider.boundingBox();
  const spot = await page.evaluate(() => parseFloat(document.querySelector('.dock .head').style.left));
  // How far ahead is shown depends on how long the past is.
  for (let x = spot + 2; x < box.width && (await dock.getByRole('tooltip').count()) === 0; x += 4) await page.mouse.move(box.x + x, box.y + 33);
  await is(dock.getByRole('tooltip').getByText(/^break at \d\d:\d\d, mo$/));
  await page.mouse.click(box.x + box.width - 6, box.y + box.height / 2);
  await is(dock.getByText('You see now'));
  await page.mouse.click(box.x + spot / 2, box.y + box.height / 2);
  await is(dock.getByText('As it was:'));
  await isDrawn();
  await is(dock.getByText(/ ago$/));
  await page.locator('main').press('n');
  await is(dock.getByText('You see now'));
  // What is still on its way then is answered by the server.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await act('/api/clock', { do: 'go' });
});

story('the arrows lead on the dock from one sign of what was refused or failed to the next, and at last to now', async () => {
  const { dock, slider } = await pipsLife();
  const refused = await act('/api/do', { target: '/square/nowhere', action: 'say', args: { content: 'Is anybody here?' } });
  await until(page, (seq) => Number(document.querySelector('.dock .bar')?.getAttribute('aria-valuemax')) > seq, refused.seq);
  const signs = dock.getByRole('list', { name: 'What was refused and what failed' });
  await is(signs.getByRole('button', { name: /refused/ }).last());
  const point = () => page.evaluate(() => Number(new URL(location.href).searchParams.get('at')) || null);
  await slider.press('ArrowDown');
  await is(dock.getByText('As it was:'));
  const last = await point();
  assert.ok(['refused', 'failed', 'dead-letter'].includes((await api(`/api/moment/${last - 1}`)).report.closing), `a sign leads right behind moment ${last - 1}`);
  // On from the last sign lies now; a sign of the list leads there as well.
  await slider.press('ArrowUp');
  await isGone(dock.getByText('As it was:'));
  await signs.getByRole('button').last().focus();
  await page.keyboard.press('Enter');
  await until(page, (last) => Number(new URL(location.href).searchParams.get('at')) === last, last);
  await slider.press('End');
  await isGone(dock.getByText('As it was:'));
  await act('/api/clock', { do: 'go' });
});

story('what happens is on the bar and in the lanes at once, and nothing is asked for it', async () => {
  const { slider } = await pipsLife();
  const life = card('Its life');
  await is(life.getByText(/\d+ moments/));
  const lanes = life.getByRole('slider', { name: 'Moments of @pip' });
  const asked = [];
  const hear = (request) => { if (/\/api\/(timeline|lanes)/.test(request.url())) asked.push(request.url()); };
  const [end, marks] = [await slider.getAttribute('aria-valuemax'), await lanes.getAttribute('aria-valuemax')];
  const title = () => card('Timeline').getByText(/moments?, \d+ refused/).textContent().then((title) => Number(/^([\d,]+) moment/.exec(title)[1].replaceAll(',', '')));
  const counted = await title();
  page.on('request', hear);
  const said = await act('/api/do', { target: '/square', action: 'say', args: { content: 'It is now.' } });
  await page.waitForFunction((seq) => Number(document.querySelector('.dock .bar')?.getAttribute('aria-valuemax')) === seq + 1, said.seq);
  assert.equal(await title(), counted + 1);
  assert.ok(Number(end) <= said.seq);
  // What pip does comes into the lanes as well, and into a part of the past that is looked at from near.
  await slider.press('+');
  await page.waitForFunction(() => document.querySelector('.dock .whole span'));
  await slider.press('End');
  const all = page.waitForResponse((answer) => answer.url().includes('/api/lanes') && !answer.url().includes('from='));
  await slider.press('0');
  await all;
  await isGone(card('Timeline').getByRole('button', { name: 'All', exact: true }));
  await page.waitForFunction((marks) => Number(document.querySelector('.lanes')?.getAttribute('aria-valuemax')) >= Number(marks), marks);
  asked.length = 0;
  const before = Number(await lanes.getAttribute('aria-valuemax'));
  await page.getByLabel('What you ask @pip').fill('Do you hear me?');
  await page.getByRole('button', { name: 'Summon @pip' }).click();
  await act('/api/clock', { do: 'step' });
  await act('/api/clock', { do: 'step' });
  await page.waitForFunction((before) => Number(document.querySelector('.lanes')?.getAttribute('aria-valuemax')) > before, before);
  assert.deepEqual(asked, [], 'nothing was asked');
  // Behind a gap it is asked for once.
  browser.mayBeAway = true;
  await server.stop();
  await is(page.getByRole('alert').getByText('Not connected.'));
  await server.start();
  await page.getByRole('button', { name: 'Try now' }).click({ timeout: 2000 }).catch(() => undefined);
  await isGone(page.getByRole('alert'));
  browser.mayBeAway = false;
  await act('/api/clock', { do: 'pause' });
  const { seq } = await api('/api/world');
  await page.waitForFunction((seq) => Number(document.querySelector('.dock .bar')?.getAttribute('aria-valuemax')) >= seq, seq);
  assert.equal(asked.filter((url) => url.includes('timeline')).length, 1, asked.join(' '));
  page.off('request', hear);
  await act('/api/clock', { do: 'go' });
});

story('a world is forked on the page, goes on with a changed setting, and both are compared where they go apart first', async () => {
  await open('#/');
  await act('/api/clock', { do: 'pause' });
  await page.reload();
  const dock = card('Timeline');
  const name = 'brisk';
  await dock.getByRole('button', { name: 'Fork here' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  // What is otherwise in it is chosen; the lines of the grammar stand behind a fold.
  const otherwise = async (does, of, to) => {
    await dialog.getByRole('button', { name: does }).click();
    const row = dialog.getByRole('group', { name: does });
    await row.getByRole('combobox').first().fill(of);
    await row.getByRole('combobox').last().fill(to);
  };
  await otherwise('Another setting', 'brakes.depth', '3');
  await dialog.getByRole('button', { name: 'Another signal' }).click();
  await dialog.getByRole('group', { name: 'Another signal' }).getByRole('button', { name: 'Leave it as it was' }).click();
  await otherwise('Another role', '@mira', 'dancer');
  await dialog.getByText('More: changes as lines').click();
  await dialog.getByLabel('What else is otherwise, a line each').fill('roles/judge.md');
  await isSound(page, 'fork');
  browser.mayBeAway = true; // what is refused is a 400, which the browser reports
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await is(dialog.getByRole('alert').getByText(/written out/));
  browser.mayBeAway = false;
  await dialog.getByLabel('What else is otherwise, a line each').fill('');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await is(dialog.getByRole('listitem').filter({ hasText: 'brakes.depth' }));
  await is(dialog.getByRole('listitem').filter({ hasText: '@mira' }));
  await is(dialog.getByRole('heading', { name: `${name} is made` }));
  const here = await api('/api/world');
  await dialog.getByRole('link', { name: `Go into ${name}` }).click();

  // One is in by the link; the fork stands still, and goes on by its own clock.
  await page.waitForURL(`**/w/${name}/**`);
  await is(page.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await is(page.getByRole('group', { name: 'Clock of the world' }).getByText('paused', { exact: true }));
  const before = (await api('api/world')).seq;
  await page.getByRole('button', { name: 'Let the world go on' }).click();
  await until(page, async (seq) => (await (await fetch('api/world')).json()).seq > seq + 3, before);
  await page.getByRole('button', { name: 'Pause the world' }).click();
  assert.equal((await api('/api/world')).seq, here.seq);
  await isSound(page, 'world of a fork');

  // Both are listed in either, and compared at the first difference.
  await page.getByTitle('The worlds of this server').click();
  const list = page.getByRole('list', { name: 'The worlds of this server' });
  await list.getByRole('link', { name: here.name, exact: true }).click();
  await page.waitForURL(`${server.base}/`);
  await page.getByTitle('The worlds of this server').click();
  await is(list.getByRole('listitem').filter({ hasText: name }).getByText(`a fork of ${here.name} from #`));
  await isSound(page, 'list of worlds');
  await is(dock.getByText(new RegExp(`^Forks: .*${name} from #`)));
  await list.getByRole('link', { name: `Compare with ${name}` }).click();
  await is(page.getByRole('heading', { name: `${here.name} and ${name}` }));
  await is(card('Where they go apart').getByText('They go apart at'));
  await is(card('Where they go apart').getByRole('region', { name }).getByRole('link', { name: 'Operator', exact: true }).first());
  // The change is named as one; it is no difference that came of itself.
  await is(card('Where they go apart').getByRole('region', { name }).getByRole('heading', { name: 'The changes' }));
  const own = card('What differs').getByText(/^What the operator changed \(\d+\)$/);
  await own.waitFor();
  assert.equal(await card('What differs').getByText('brakes.depth').isVisible(), false);
  await own.click();
  await is(card('What differs').getByText('brakes.depth'));
  await is(card('What differs').locator('details').getByRole('link', { name: '@mira' }));
  // Both stand at one instant, and are drawn beside one another; the timeline moves both, back to where they are one world.
  await is(page.getByText(/They parted at #\d+\. The bar below moves both\.$/));
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Both maps"] svg a.being[aria-label^="mira"]').length === 2);
  await isSound(page, 'two worlds');
  await page.locator('main').press('Home');
  await is(page.getByText(/Here there is still one world\./));
  await page.waitForFunction(() => document.querySelectorAll('[aria-label="Both maps"] figure').length === 1);
  await page.locator('main').press('End');
  await is(page.getByText(/The bar below moves both\.$/));
  await act('/api/clock', { do: 'go' });
});

story('a world that is served by its source alone is forked on the page too', async () => {
  const alone = new Server([join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/worlds/skateco'), '--paused']);
  await alone.start();
  browser.others.add(alone.base);
  const tab = await context.newPage();
  await tab.goto(alone.link);
  await card('Timeline', tab).getByRole('button', { name: 'Fork here' }).click();
  const dialog = tab.getByRole('dialog');
  await dialog.getByLabel('Name').fill('apart');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await dialog.getByRole('link', { name: 'Go into apart' }).click();
  await tab.waitForURL('**/w/apart/**');
  await is(tab.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await tab.close();
  await alone.clear();
  // Where there is no place for forks, the page says what to type.
  await page.route('**/api/worlds', async (route) => {
    const worlds = await (await route.fetch()).json();
    await route.fulfill({ json: { ...worlds, mayFork: false, noPlace: '`/data/world-forks` cannot hold links to the log of this world: no room', forkCommand: 'reelm fork FORK --data /data/world' } });
  });
  await open('#/');
  await page.reload();
  await card('Timeline').getByRole('button', { name: 'Fork here' }).click();
  await is(page.getByRole('dialog').getByText('reelm fork FORK --data /data/world'));
  await isSound(page, 'no place for forks');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
});

story('two worlds are compared at one instant: two maps, two lines of each measure, and one world before they part', async () => {
  const pair = new Server([join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/worlds/skateco'), '--pace', '600']);
  await pair.start();
  browser.others.add(pair.base);
  const tab = await context.newPage();
  await tab.goto(pair.link);
  await card('Timeline', tab).waitFor();
  const ask = (path, body) => tab.evaluate(async ([path, body]) => (await fetch(path, body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {})).json(), [path, body]);
  /** Lets a world of the two go on until it has so many more moments. */
  const live = async (base, many) => {
    const { seq } = await ask(`${base}api/world`);
    await ask(`${base}api/clock`, { do: 'go' });
    await until(tab, async ([base, seq]) => (await (await fetch(`${base}api/world`)).json()).seq > seq, [base, seq + many]);
    await ask(`${base}api/clock`, { do: 'pause' });
  };
  await live('/', 300);
  const fork = await ask('/api/fork', { name: 'apart', change: ['signal:skateco.alarm=true'] });
  await tab.goto(pair.base + fork.link);
  await is(tab.getByRole('banner').getByRole('link', { name: /@operator/ }));
  await live('/w/apart/', 300);
  await live('/', 150);
  await tab.goto(`${pair.base}/#/compare?from=now&to=now&with=/w/apart/`);

  // One time for both is said once, and each map is drawn from its own world.
  const said = tab.getByRole('status').filter({ hasText: 'Both at' });
  await is(said.filter({ hasText: `They parted at #${fork.seq}` }));
  const maps = card('Both maps', tab);
  await is(maps.getByRole('region', { name: 'Map of skateco' }));
  await is(maps.getByRole('region', { name: 'Map of apart' }));
  // What differs is marked by a shape in both, and is the same that is listed.
  const marked = maps.getByRole('region', { name: 'Map of apart' }).locator('[data-differs^="@"]');
  await marked.first().waitFor();
  const name = await marked.first().getAttribute('data-differs');
  await is(maps.getByRole('region', { name: 'Map of skateco' }).locator(`[data-differs="${name}"]`));
  await is(maps.getByRole('region', { name: 'Map of apart' }).getByRole('link', { name: new RegExp(`^${name.slice(1)}.*, differs$`) }));
  await is(card('What differs', tab).getByRole('link', { name, exact: true }).first());
  // Its links lead into its own world.
  assert.match(await maps.getByRole('region', { name: 'Map of apart' }).locator('a.being').first().evaluate((link) => link.href.baseVal), /\/w\/apart\/#/);
  // Measures are two lines over the same time.
  const lines = card('Measures of both', tab);
  await is(lines.getByRole('list', { name: 'Lines' }).getByText('they part'));
  const packed = lines.getByRole('region', { name: 'Boards packed' });
  await is(packed.getByText(/^\d+ \| \d+$/));
  await is(packed.locator('canvas'));
  await isSound(tab, 'two worlds at one instant');

  const apart = (await ask('/api/diff?from=now&to=now&with=/w/apart/')).apart.seq;
  assert.equal(apart, fork.seq);
  // Where they part there is one world, and the page says so.
  await tab.getByRole('button', { name: 'Go to where they part' }).click();
  await is(said.filter({ hasText: 'Here there is still one world' }));
  await is(maps.getByText('Both worlds', { exact: true }));
  assert.equal(await maps.locator('figure').count(), 1);
  await is(card('What differs', tab).getByText('there is one world here'));
  await is(packed.getByText(/^(\d+) \| \1$/));
  await isSound(tab, 'one world before they part');

  // On a phone one map lies below the other.
  await card('Timeline', tab).getByRole('button', { name: 'Back to now' }).click();
  await tab.waitForFunction(() => document.querySelectorAll('.maps figure').length === 2);
  await tab.setViewportSize({ width: 390, height: 844 });
  const [first, second] = await maps.locator('figure').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  assert.ok(second.top >= first.bottom && first.right <= 390, JSON.stringify([first, second]));
  assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), 390);
  await isSound(tab, 'two worlds on a phone');
  await tab.close();
  await pair.clear();
});

story('a list that is held counts what is newer, and what the server knows the page has asked', async () => {
  await open('#/moments');
  await page.locator('[data-seq]').first().waitFor();
  await page.getByRole('button', { name: 'Hold the list' }).click();
  const [first, rows] = [await page.locator('[data-seq]').first().getAttribute('data-seq'), await page.locator('[data-seq]').count()];
  await page.waitForFunction(() => Number(/Go on, (\d+) newer/.exec(document.body.innerText)?.[1]) > 3);
  assert.deepEqual([await page.locator('[data-seq]').first().getAttribute('data-seq'), await page.locator('[data-seq]').count()], [first, rows]);
  await page.getByRole('button', { name: /^Go on/ }).click();
  await page.waitForFunction((first) => Number(document.querySelector('[data-seq]')?.getAttribute('data-seq')) > Number(first) + 3, first);

  // Another server with other words: the page says what it says.
  const other = await context.newPage();
  await other.route('**/api/words', async (route) => {
    const words = await (await route.fetch()).json();
    words.triggers.push({ word: 'smell', says: 'a smell in the air' });
    words.operators.push({ word: 'near', says: 'lies near', takes: 'value' });
    await route.fulfill({ json: words });
  });
  await other.route('**/api/codes', async (route) => {
    const codes = await (await route.fetch()).json();
    codes.find((each) => each.code === 'gate-role').sentence = 'the wardrobe says no';
    await route.fulfill({ json: codes });
  });
  await open('#/roles/gardener', other);
  await is(other.getByLabel('a smell in the air'));
  await open('#/flow/mira', other);
  await other.getByRole('button', { name: /^Change clause 0: / }).click();
  await other.getByRole('button', { name: '+ condition' }).first().click();
  await other.getByLabel('How  is compared').last().selectOption({ label: 'lies near' });
  await other.close({ runBeforeUnload: false });
});

story('a wake that was given up is seen, and opened again', async () => {
  await open('#/being/fay');
  await page.getByLabel('What you ask @fay').fill('Are you well?');
  await page.getByRole('button', { name: 'Summon @fay' }).click();
  await is(card('Its last moments').getByText('was given up').first());
  await open('#/moments');
  const dead = card('Dead letters');
  await is(dead.getByRole('link', { name: '@fay' }));
  await isSound(page, 'moments with a dead letter');
  const last = (await api('/api/moments?being=@fay&limit=1')).moments[0].seq;
  await dead.getByRole('button', { name: 'Requeue', exact: true }).click();
  await is(page.getByText('The wake of @fay is open again'));
  await until(page, async (last) => (await (await fetch('/api/moments?being=@fay&closing=dead-letter&limit=1')).json()).moments[0].seq > last, last);
  await dead.getByRole('button', { name: 'Requeue all' }).click();
  await is(page.getByText('The wake of @fay is open again').first());
});

story('a conversation without end is seen on Health and cut by two presses, and the map marks whom a brake holds', async () => {
  const echoes = new Server([join(dirname(fileURLToPath(import.meta.url)), 'echoes'), '--data', 'echoes', '--pace', '1']);
  await echoes.start();
  browser.others.add(echoes.base);
  const tab = await context.newPage();
  await tab.goto(echoes.link);
  await is(tab.getByRole('banner').getByRole('link', { name: /@operator/ }));
  const ask = (path, body) => tab.evaluate(async ([path, body]) => (await fetch(path, body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {})).json(), [path, body]);
  /** Lets the world go on until a being has lived so many moments more, and holds it. */
  const live = async (being, many) => {
    const count = async () => (await ask(`/api/moments?being=${being}&limit=100`)).moments.length;
    const before = await count();
    await ask('/api/clock', { do: 'go' });
    await until(tab, async ([being, many]) => (await (await fetch(`/api/moments?being=${being}&limit=100`)).json()).moments.length >= many, [being, before + many]);
    await ask('/api/clock', { do: 'pause' });
  };
  const pages = tab.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Health' }).click();
  await is(tab.getByRole('heading', { level: 1, name: 'Health of the world' }));
  await is(tab.getByText('Nothing is held back.'));

  await ask('/api/clock', { do: 'pause' });
  const { seq } = await ask('/api/summon', { target: '@ping', content: 'Are you there?' });
  await live('ping', 20);
  const threads = card('Open threads', tab);
  await is(threads.getByText('Are you there?'));
  await is(threads.getByRole('link', { name: `moment ${seq}` }));
  await is(threads.getByRole('link', { name: '@operator' }));
  await is(card('Near a limit', tab).getByRole('meter', { name: 'Moments in this minute of @ping' }));
  await isSound(tab, 'health');

  // One press cuts nothing, and Escape takes it back.
  const cut = threads.getByRole('button', { name: `Cut the thread of moment ${seq}` });
  const sure = threads.getByRole('button', { name: `Cut it, the thread of moment ${seq}` });
  await cut.click();
  await is(threads.getByText('1 open wake becomes a dead letter.'));
  await isSound(tab, 'health before a cut');
  assert.deepEqual(await hasRoom(tab, 'health before a cut'), []);
  await tab.keyboard.press('Escape');
  await isGone(sure);
  assert.equal(await tab.evaluate(() => document.activeElement?.textContent), 'Cut');
  assert.equal((await ask('/api/see?address=/.threads')).list.length, 1);

  // The page of any moment of it has the same button; the past has none.
  const [last] = (await ask('/api/moments?being=ping&limit=1')).moments;
  await tab.goto(`${echoes.base}/#/moment/${last.seq}`);
  await is(card('What led to it', tab).getByRole('button', { name: 'Cut this thread' }));
  await isSound(tab, 'moment of an open thread');
  await tab.goto(`${echoes.base}/?at=${last.seq}#/health`);
  await is(tab.getByRole('button', { name: 'Back to now' }).first());
  await is(threads.getByText('Are you there?'));
  assert.equal(await threads.getByRole('button').count(), 0);
  await tab.goto(`${echoes.base}/#/health`);

  // While it goes on it is cut, and nothing follows any more.
  await ask('/api/clock', { do: 'go' });
  await cut.click();
  await sure.click();
  await is(tab.getByText(`The thread of moment ${seq} is cut`));
  await isGone(threads);
  assert.deepEqual((await ask('/api/see?address=/.threads')).list, []);
  const [act] = (await ask('/api/moments?action=thread.cut&limit=1')).moments;
  for (const being of ['ping', 'pong']) assert.ok((await ask(`/api/moments?being=${being}&limit=1`)).moments[0].seq < act.seq, `@${being} goes on`);
  assert.deepEqual((await ask('/api/dead')).map(({ reason }) => reason.code), ['cut']);
  await tab.goto(`${echoes.base}/#/moments`);
  await is(tab.getByText(`cut the thread of moment ${seq}`));
  await tab.goto(`${echoes.base}/#/moment/${last.seq}`);
  await is(card('What led to it', tab).getByText(/^(Here it begins|More lies behind)/));
  assert.equal(await tab.getByRole('button', { name: 'Cut this thread' }).count(), 0);

  // Who fails as often as it may is held, and the map says where.
  for (const content of ['Are you well?', 'And now?']) await ask('/api/summon', { target: '@fay', content });
  await tab.goto(`${echoes.base}/#/`);
  await tab.getByRole('link', { name: '1 in yard held by a brake' }).click();
  await is(tab.getByRole('heading', { level: 1, name: 'Health of /yard' }));
  await is(card('Held back', tab).getByText(/^failed 2 times in this hour; the limit is 2\. Waits until \d\d:00:00\.$/));
  await is(card('Failures', tab).getByText('the script threw'));
  await card('Held back', tab).getByRole('link', { name: '@fay' }).click();
  await is(tab.getByRole('heading', { level: 1, name: '@fay' }));
  await tab.close();
  await echoes.clear();
});

story('a lost connection comes back, and no moment is missing', async () => {
  await open('#/moments');
  const rows = page.locator('[data-seq]');
  await rows.first().waitFor();
  browser.mayBeAway = true;
  await server.stop();
  await is(page.getByRole('alert').getByText('Not connected.'));
  await isSound(page, 'moments without a connection');
  const last = Number(await rows.first().getAttribute('data-seq'));
  await server.start();
  await page.getByRole('button', { name: 'Try now' }).click({ timeout: 2000 }).catch(() => undefined);
  await isGone(page.getByRole('alert'));
  browser.mayBeAway = false;
  await page.waitForFunction((last) => Number(document.querySelector('[data-seq]')?.getAttribute('data-seq')) > last + 5, last);
  const shown = await page.evaluate(() => [...document.querySelectorAll('[data-seq]')].map((row) => Number(row.getAttribute('data-seq'))));
  assert.deepEqual(shown, [...new Set(shown)].sort((a, b) => b - a), 'each moment once, the newest first');
  const told = (await api('/api/moments?limit=200')).moments.map((report) => report.seq).filter((seq) => seq <= shown[0] && seq >= shown.at(-1));
  assert.deepEqual(shown.slice(0, told.length), told, 'what the page shows is what happened');
});

story('a person makes a token for a program, is shown it once, and takes it back', async () => {
  await open('#/account');
  const tokens = card('Tokens');
  await is(tokens.getByText('none', { exact: true }));
  await tokens.getByLabel('What for').fill('watering');
  assert.deepEqual(await tokens.getByRole('checkbox', { checked: true }).evaluateAll((boxes) => boxes.map((box) => box.value)), ['see'], 'it may little unless one says more');
  await tokens.getByLabel('see', { exact: true }).uncheck();
  assert.ok(await tokens.getByRole('button', { name: 'Make a token' }).isDisabled(), 'a token for nothing is none');
  await tokens.getByLabel('see', { exact: true }).check();
  await tokens.getByLabel('summon', { exact: true }).check();
  await tokens.getByLabel('For', { exact: true }).selectOption('7d');
  await tokens.getByRole('button', { name: 'Make a token' }).click();
  await is(tokens.getByRole('status').getByText('It is shown this once'));
  const secret = await tokens.locator('.secret').textContent();
  assert.match(secret, /^reelm_[0-9a-f]{64}$/);
  const [made] = await api('/api/tokens');
  assert.deepEqual([made.name, made.being, made.only], ['watering', '@operator', ['see', 'summon']]);
  assert.equal(Date.parse(made.until) - Date.parse(made.since), 7 * 24 * 60 * 60 * 1000);
  const row = tokens.getByRole('listitem').filter({ hasText: 'watering' });
  await is(row.getByText(`@operator may see, summon until ${made.until.slice(0, 10)}`));
  await isSound(page, 'account with a token');

  // The program, which has no cookie.
  const program = async (path, body) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.base}${path}`, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) });
    return { status: answer.status, body: await answer.json() };
  };
  const look = await program('/api/see?address=@pip');
  assert.deepEqual([look.status, look.body.name], [200, 'pip']);
  assert.equal((await program('/api/summon', { target: '@mira', content: 'Is it dry?' })).body.closing, 'act');
  const said = await program('/api/do', { target: '/square', action: 'say', args: { content: 'It is dry.' } });
  assert.deepEqual([said.body.closing, said.body.reason?.code], ['refused', 'gate-narrowed']);

  // It is not shown again, however one comes back.
  await page.reload();
  await is(row);
  assert.ok(!(await page.content()).includes(secret));
  await row.getByRole('button', { name: 'Take back watering' }).click();
  await is(tokens.getByText('none', { exact: true }));
  const after = await program('/api/see?address=@pip');
  assert.deepEqual([after.status, after.body.error.code], [401, 'bad-token']);
  await page.reload();
  await is(tokens.getByText('none', { exact: true }));
});

story('what a script says to whoever watches is shown to whoever may read its moments, and to no visitor', async () => {
  const before = (await api('/api/roles/arrival')).role;
  const arrival = (role) => act('/api/do', { target: '/', action: 'role.set', args: { name: 'arrival', role } });
  await arrival({ name: 'arrival', canSee: ['@mira'], canSummon: ['mira'] });
  browser.mayBeAway = true; // what a visitor may not see is a 403, which the browser reports
  const other = await browser.context(server.base);
  const stranger = await other.newPage();
  await open('#/moments', stranger);
  const asked = await stranger.evaluate(async () => (await fetch('/api/summon', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ target: '@mira', content: 'Who are you?' }) })).json());
  assert.equal(asked.closing, 'act');
  // The visitor is told what was answered, and not what the script said beside it.
  const answer = stranger.locator('[data-seq]').filter({ hasText: 'I am here, as a gardener.' });
  await is(answer);
  const seq = await answer.getAttribute('data-seq');
  const told = await stranger.evaluate(async () => (await fetch('/api/moments')).text());
  assert.ok(told.includes('I am here, as a gardener.') && !told.includes('answers @'), told);
  await open(`#/moment/${seq}`, stranger);
  await is(stranger.getByRole('alert'));
  assert.equal(await stranger.getByText('answers @').count(), 0);

  await open(`#/moment/${seq}`);
  const log = card('Log');
  await is(log.getByRole('heading', { name: 'What its scripts said' }));
  await is(log.getByText('answers @arrival', { exact: true }));
  await isSound(page, 'moment whose script said something');
  assert.ok((await api('/api/moments?being=@mira&limit=20')).moments.some((moment) => moment.notes?.includes('answers @arrival')));
  browser.mayBeAway = false;
  await arrival(before);
  await other.close();
});

story('the causes of a moment are a graph that one walks to its first cause, and two fingers look at a life from nearer', async () => {
  // A summons wakes @mira, who answers: three moments in a row that hang together.
  const asked = await act('/api/summon', { target: '@mira', content: 'What woke you?' });
  assert.equal(asked.closing, 'act');
  const effectsOf = async (seq) => (await api(`/api/causes?moment=${seq}`)).effects;
  await act('/api/clock', { do: 'go' });
  await until(page, async (seq) => (await (await fetch(`/api/causes?moment=${seq}`)).json()).effects.length > 0, asked.seq);
  const [woken] = await effectsOf(asked.seq);
  await open(`#/moment/${woken.seq}`);
  const graph = card('Causes and effects');
  const node = (seq) => graph.locator(`[data-node="${seq}"]`);
  await is(node(woken.seq));
  await is(graph.getByText('It begins with a person.'));
  assert.match(await node(asked.seq).getAttribute('aria-label'), /^@operator\/\d+, .*: asked Mira: “What woke you\?”; begins with a person$/);
  await is(card('What led to it').getByRole('link', { name: asked.moment ?? /@operator/ }));
  await isSound(page, 'moment with the graph of its causes');
  // Arrows go along the edges, Enter opens what one stands at.
  await node(woken.seq).focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-node')), String(asked.seq));
  const viewOf = () => graph.locator('svg').getAttribute('viewBox');
  const before = await viewOf();
  await page.keyboard.press('+');
  await page.waitForFunction((was) => document.querySelector('section[aria-label="Causes and effects"] svg').getAttribute('viewBox') !== was, before);
  await page.keyboard.press('0');
  await page.keyboard.press('Enter');
  await is(page.getByRole('heading', { name: `Moment ${asked.seq}`, exact: true }));
  await is(node(woken.seq));
  // A drag moves the drawing and opens nothing, a click opens.
  const box = await node(woken.seq).boundingBox();
  const still = await viewOf();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x - 40, box.y + 24, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await viewOf(), still);
  await is(page.getByRole('heading', { name: `Moment ${asked.seq}`, exact: true }));
  await node(woken.seq).click();
  await is(page.getByRole('heading', { name: `Moment ${woken.seq}`, exact: true }));

  // A quality leads to the facts that made it what it is.
  await act('/api/do', { target: '@mira', action: 'quality.set', args: { path: 'story.told', value: 'twice' } });
  await open('#/being/mira');
  await page.reload();
  const qualities = card('Qualities');
  await qualities.getByLabel('Which quality').selectOption('story.told');
  await qualities.getByRole('button', { name: 'Why is it so?' }).click();
  const made = qualities.getByRole('list', { name: 'What made story.told' });
  await is(made.getByRole('listitem').filter({ hasText: 'by quality.set on @mira' }).first());
  await isSound(page, 'a being with a quality explained');
  await made.getByRole('link').first().click();
  await is(page.getByRole('heading', { name: /^Moment \d+$/ }));

  // Two fingers that part on the bar, and on a life, look from nearer; none of both goes anywhere.
  const { dock, slider } = await pipsLife();
  const hand = await page.context().newCDPSession(page);
  const spread = async (where) => {
    const { x, y, width, height } = await where.boundingBox();
    const points = (away) => [-away, away].map((by, id) => ({ x: x + width / 2 + by, y: y + height / 2, id }));
    await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(30).slice(0, 1) });
    await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(30) });
    for (const away of [60, 90, 120]) await hand.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(away) });
    await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const all = dock.getByRole('button', { name: 'All', exact: true });
  for (const where of [slider, card('Its life').getByRole('slider', { name: 'Moments of @pip' })]) {
    await spread(where);
    await is(all);
    await isGone(dock.getByText('As it was:'));
    assert.match(page.url(), /#\/being\/pip$/);
    await all.click();
    await isGone(all);
  }
  assert.equal(await page.evaluate(() => visualViewport.scale), 1);
  // A pinch on a trackpad, which is a wheel with Ctrl, does the same and leaves the page as large as it is.
  await slider.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40);
  await page.keyboard.up('Control');
  await is(all);
  await all.click();
  await act('/api/clock', { do: 'go' });
});

story('who was not born yet is told so at a point before, and one comes to the birth from there', async () => {
  const born = await act('/api/be', { operation: 'birth', payload: { name: 'nia', cognition: 'script', script: 'walker', defaultRole: 'walker', home: '/garden' } });
  assert.equal(born.closing, 'act', JSON.stringify(born));
  await page.goto(`${server.base}/?at=5#/being/nia`);
  browser.mayBeAway = true; // she is not there yet: a 404, which the browser reports
  await is(page.getByText('@nia was not born yet.'));
  await is(page.locator('main').getByRole('link', { name: `moment ${born.seq}` }));
  await isSound(page, 'a being before its birth');
  await page.getByRole('button', { name: 'To its birth' }).click();
  await is(card('What it wears now and why'));
  assert.equal(new URL(page.url()).searchParams.get('at'), String(born.seq + 1));
  browser.mayBeAway = false;
  await page.locator('main').press('Escape');
  await isGone(card('Timeline').getByText('As it was:'));
});

story('the tables of a survey and of a sweep are opened, drawn with intervals, sorted and kept, and sent to nobody', async () => {
  const items = [{ id: 'as', text: 'As what are you here?', kind: 'choice', options: ['gardener', 'dancer'] }];
  await open('#/cost');
  await act('/api/clock', { do: 'go' });
  await until(page, async () => (await (await fetch('/api/moments?being=pip')).json()).moments.length > 8);
  const made = server.survey({ items, whom: ['@mira'], at: ['~1m', 'now'] });
  const sent = [];
  const listen = (request) => { if (request.method() !== 'GET') sent.push(request.url()); };
  page.on('request', listen);
  await page.locator('main').getByRole('link', { name: 'Tables of a survey or a sweep' }).click();
  const file = page.getByLabel('A CSV file, chosen or dropped here');
  await file.setInputFiles({ name: 'as.csv', mimeType: 'text/csv', buffer: made });
  await is(page.getByText('as.csv: 2 rows of a survey'));
  const comes = card('What it comes to');
  await comes.getByText('The numbers of as').click();
  const numbers = comes.getByRole('group', { name: 'Numbers of as' });
  await is(numbers.getByRole('row', { name: /^now (gardener|dancer) 1 100 % 20\.7 % 100 %$/ }));
  await comes.getByLabel('Answers').selectOption('all');
  await is(numbers.getByRole('row', { name: /^all (gardener|dancer) 2 / }).first());
  await isSound(page, 'the table of a survey');
  await comes.getByLabel('Answers').selectOption('role');
  await is(numbers.getByRole('row', { name: /^\S+ (gardener|dancer) 2 / }).first());
  // What was asked at a point leads to the being at that point.
  const seq = card('Rows').getByRole('link').first();
  assert.match(await seq.getAttribute('href'), /^\?at=\d+#\/being\/mira$/);
  // The same of another world leads nowhere here; and a file can be dropped.
  const world = await page.evaluate(async () => (await (await fetch('/api/world')).json()).world);
  await page.evaluate((text) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([text], 'other.csv', { type: 'text/csv' }));
    document.querySelector('section.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }, made.toString().replaceAll(world, world.replace(/./g, '0')));
  await is(page.getByText('other.csv: 2 rows of a survey'));
  assert.equal(await card('Rows').getByRole('link').count(), 0);
  await file.setInputFiles({ name: 'as.csv', mimeType: 'text/csv', buffer: made });
  await is(card('Rows').getByRole('link').first());
  const [kept] = await Promise.all([page.waitForEvent('download'), comes.getByRole('button', { name: 'Save as SVG' }).click()]);
  assert.equal(kept.suggestedFilename(), 'as.svg');
  const picture = readFileSync(await kept.path(), 'utf8');
  assert.match(picture, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(picture, /gardener/);

  // A sweep: the arms, and the paired differences to the first.
  const values = [['as-is', [10, 20, 30]], ['strict', [11, 22, 33]]];
  const rows = values.flatMap(([arm, each]) => each.map((value, at) => `${arm},${at + 1},1,mood,2026-03-02T10:00:00Z,${value},seed,0,0,0,${arm}-s${at + 1}-r1,${100 + at}`));
  const columns = 'arm,seed,replicate,measure,at,value,draws,calls,input,output,world,moment';
  await file.setInputFiles({ name: 'measures.csv', mimeType: 'text/csv', buffer: Buffer.from([columns, ...rows, ''].join('\n')) });
  await is(page.getByText('measures.csv: 6 rows of a sweep'));
  await comes.getByText('The numbers of mood, less that of as-is').click();
  await is(comes.getByRole('row', { name: /strict 3 2 -0\.4841 4\.484/ }));
  await isSound(page, 'the table of a sweep');
  // Sorted by a press of a key, found by words, kept as it is shown.
  const value = card('Rows').getByRole('button', { name: 'value' });
  await value.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  assert.equal(await card('Rows').getByRole('columnheader', { name: 'value' }).getAttribute('aria-sort'), 'descending');
  await is(card('Rows').getByRole('row').nth(1).getByText('33', { exact: true }));
  await card('Rows').getByLabel('Find in the rows').fill('as-is');
  await is(card('Rows').getByText('1 to 3 of 3'));
  const [csv] = await Promise.all([page.waitForEvent('download'), card('Rows').getByRole('button', { name: 'As CSV' }).click()]);
  assert.equal(readFileSync(await csv.path(), 'utf8').split('\r\n')[1].split(',')[5], '30');

  // What is wrong with a file is said with its place, and what was open stays.
  await file.setInputFiles({ name: 'torn.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,"2') });
  await is(page.getByText('torn.csv: line 2, column 3: expected closing quotes'));
  await is(page.getByText('measures.csv: 6 rows of a sweep'));
  page.off('request', listen);
  assert.deepEqual(sent, []);
});

/** Somebody without a mouse does something on the operator's page, in at most so many presses; what they wrote is counted apart. */
const byKeyboard = async (what, most, tell) => {
  const hands = new Hands(page);
  await page.locator('main').focus();
  await tell(hands);
  console.log(`        ${what}: ${hands.took}`);
  assert.ok(hands.presses <= most, `${what}: ${hands.took}, and ${most} presses should do`);
};

story('by keyboard alone one watches the world, and understands a moment', async () => {
  await open('#/');
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  await act('/api/clock', { do: 'go' });
  await page.locator('.story [data-seq]').nth(2).waitFor();
  await byKeyboard('watch and understand', 15, async (hands) => {
    await hands.press('Space');
    await is(page.getByRole('group', { name: 'Clock of the world' }).getByText('paused', { exact: true }));
    await hands.press('j', 'j', 'Enter');
    await is(page.getByRole('region', { name: 'Why', exact: true }));
    const seq = Number((await page.getByRole('heading', { level: 1 }).first().textContent()).match(/\d+/)[0]);
    // The world as it was then, and back to now.
    await hands.goTo(`#${seq}`);
    await page.waitForFunction((seq) => new URL(location.href).searchParams.get('at') === String(seq), seq);
    await hands.press('Escape');
    await is(page.getByText('You see now'));
    await hands.press('Space');
    await is(page.getByRole('button', { name: 'Pause the world' }));
  });
});

story('by keyboard alone a role and a flow are changed', async () => {
  await open('#/');
  const [role, flow] = [(await api('/api/roles/gardener')).role, await api('/api/see?address=@mira/.flow')];
  await byKeyboard('edit a role and a flow', 60, async (hands) => {
    await hands.goTo('gardener');
    await hands.reach(page.getByLabel('What it is, in a sentence'));
    await hands.write('Waters what grows.');
    await hands.press('Control+s');
    await is(page.getByRole('dialog', { name: /^Publish/ }));
    await hands.press('Enter');
    await is(page.locator('.notes').getByText('gardener is published everywhere'));
    assert.equal((await api('/api/roles/gardener')).role.description, 'Waters what grows.');
    await hands.goTo('flow mira', 'Flow of mira');
    await hands.reach(page.getByRole('button', { name: /^Clause 1 of 2/ }));
    await hands.press('ArrowDown', 'Control+s');
    await is(page.getByRole('dialog', { name: /^Publish/ }));
    await hands.press('Enter');
    await isGone(page.getByText('not published'));
    assert.deepEqual(await api('/api/see?address=@mira/.flow'), flow.toReversed());
  });
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'gardener', role } });
  await act('/api/do', { target: '@mira', action: 'flow.set', args: { flow } });
});

story('by keyboard alone a being is born, inhabited, configured and released', async () => {
  await open('#/');
  await byKeyboard('birth, inhabit, configure, release', 90, async (hands) => {
    await hands.goTo('Birth');
    await hands.reach(page.getByLabel('Name', { exact: true }));
    await hands.write('lark');
    await hands.reach(page.getByRole('combobox', { name: 'Default role' }));
    await hands.write('walker');
    await hands.reach(page.getByRole('combobox', { name: 'Home' }));
    await hands.write('/square');
    await hands.reach(page.getByRole('button', { name: 'Give birth and inhabit it' }));
    await hands.press('Enter');
    await is(page.getByRole('heading', { name: 'You drive @lark' }));
    await hands.reach(page.getByLabel('Say aloud, to all who are here'));
    await hands.write('Here I am.');
    await hands.press('Enter');
    await until(page, async () => (await (await fetch('/api/moments?being=lark')).json()).moments.some((moment) => JSON.stringify(moment).includes('Here I am.')));
    await hands.goTo('settings lark', 'Settings of lark');
    await hands.reach(page.getByRole('button', { name: 'Change tokens.recall' }));
    await hands.press('Enter');
    await hands.reach(page.getByRole('listitem', { name: 'tokens.recall', exact: true }).getByLabel(/^value/));
    await hands.write('500');
    await hands.press('Enter');
    await is(page.locator('.notes').getByText('tokens.recall is set at @lark'));
    await hands.goTo('drive lark', 'Drive lark');
    await hands.reach(page.getByRole('button', { name: 'Release @lark' }));
    await hands.press('Enter');
    await is(page.locator('.notes').getByText('You gave @lark back'));
  });
  await act('/api/be', { operation: 'end', payload: { being: '@lark' } });
});

story('by keyboard alone the past is forked and compared', async () => {
  await open('#/');
  await act('/api/clock', { do: 'pause' });
  await page.reload();
  await is(page.getByText('You see now'));
  await byKeyboard('past, fork, compare', 40, async (hands) => {
    await hands.press('ArrowLeft', 'ArrowLeft');
    await page.waitForFunction(() => new URL(location.href).searchParams.get('at'));
    await hands.press('f');
    await is(page.getByRole('dialog', { name: /^Fork the world as it was before/ }));
    await hands.write('lamp');
    await hands.reach(page.getByRole('button', { name: 'Another signal' }));
    await hands.press('Enter');
    await hands.reach(page.getByRole('combobox', { name: 'Signal', exact: true }));
    await hands.write('square.festival');
    await hands.press('Tab');
    await hands.write('"twice"');
    await hands.press('Enter');
    await is(page.getByRole('heading', { name: 'lamp is made' }));
    await hands.reach(page.getByRole('link', { name: 'Go into lamp' }));
    await hands.press('Enter');
    // The page of a link leads to the world once one is in.
    await page.waitForURL('**/w/lamp/#/');
    await is(page.getByRole('banner').getByRole('link', { name: /@operator/ }));
    await is(page.getByRole('group', { name: 'Clock of the world' }).getByText('paused', { exact: true }));
    await hands.goTo('Compare with');
    await is(page.getByRole('heading', { name: /^lamp and / }));
    await is(card('What differs'));
  });
  await act('/api/clock', { do: 'go' });
});

story('the inbox is sentences with links, and an answer stands beside its question', async () => {
  await open('#/me');
  const asked = await act('/api/summon', { target: '@mira', content: 'Who tends the garden?' });
  await act('/api/clock', { do: 'go' });
  await until(page, async (cause) => (await (await fetch('/api/inbox')).json()).some(({ inReplyTo }) => inReplyTo?.startsWith(`${cause}.`)), asked.seq);
  await act('/api/clock', { do: 'pause' });
  await page.reload();
  const inbox = card('Your inbox');
  const entry = inbox.getByRole('listitem').filter({ hasText: 'Who tends the garden?' }).first();
  await is(entry);
  // The question, and below it the answer; whoever reads is called you.
  const sentences = await entry.locator('p.question, p.told').evaluateAll((all) => all.map((each) => each.textContent.trim().replace(/\s+/g, ' ')));
  assert.match(sentences[0], /^You asked Mira: Who tends the garden\?/);
  assert.match(sentences[1], /^Mira answered you: I am here, as a gardener\./);
  assert.equal(await entry.getByRole('link', { name: 'The moment of the question' }).getAttribute('href'), `#/moment/${asked.seq}`);
  assert.match(await entry.getByRole('link', { name: 'Its moment' }).getAttribute('href'), /^#\/moment\/\d+$/);
  assert.match(await entry.getByRole('link', { name: 'Mira' }).first().getAttribute('href'), /on=%40mira/);
  // Nothing stands there as a key with a value.
  assert.equal(await inbox.locator('dl').count(), 0);
  await isSound(page, 'the inbox');
  await entry.getByRole('button', { name: 'Put away' }).click();
  await isGone(entry);
  // On the page of whoever was asked the two stand together as well.
  await open('#/being/mira');
  const pair = card('Asked and answered').getByRole('listitem').filter({ hasText: 'Who tends the garden?' });
  assert.match((await pair.first().textContent()).replace(/\s+/g, ' '), /Operator asked Mira: Who tends the garden\?.*Mira answered Operator: I am here, as a gardener\./);
});

story('a question that waits says so, and stands with its answer once it has one', async () => {
  await open('#/birth');
  await act('/api/be', { operation: 'birth', payload: { name: 'lio', cognition: 'human', defaultRole: 'walker', home: '/square' } });
  await act('/api/summon', { target: '@lio', content: 'Do you like the duck?' });
  await open('#/drive/lio');
  await page.getByRole('button', { name: 'Inhabit @lio' }).click();
  const inbox = card('Your inbox');
  const entry = inbox.getByRole('listitem').filter({ hasText: 'Do you like the duck?' });
  await is(entry.getByText('You have not answered yet.'));
  assert.match((await entry.locator('p.told').textContent()).trim(), /^Operator asked you: ?Do you like the duck\?/);
  await entry.getByLabel('Answer @operator').fill('Very much.');
  await entry.getByRole('button', { name: 'Answer', exact: true }).click();
  const pair = card('Asked and answered').getByRole('listitem').filter({ hasText: 'Do you like the duck?' });
  await is(pair);
  assert.match((await pair.textContent()).replace(/\s+/g, ' '), /Operator asked you: Do you like the duck\?.*You answered Operator: Very much\./);
  await page.getByRole('button', { name: 'Release @lio' }).click();
  await is(page.getByText('@lio runs by itself.'));
});

story('rules and extensions have pages of their own, and whoever may switches them', async () => {
  await open('#/rules');
  await is(page.getByText('This world has no rules.'));
  const rule = { on: ['say'], when: { 'args.content': { eq: 'HELLO' } }, refuse: 'nobody shouts here' };
  const cup = { name: 'cafe:one-cup', on: ['move'], when: { 'args.cups': { gt: 4 } }, refuse: 'four cups at most' };
  const manifest = { name: 'cafe', version: '1.2.0', description: 'A cafe at the square', needs: {}, signals: [{ path: 'cafe.open', description: 'Whether it is open' }], spaceTypes: [{ type: 'cafe', description: 'Where one drinks coffee' }], rules: [cup] };
  assert.equal((await act('/api/do', { target: '/', action: 'rule.set', args: { name: 'no-shouting', rule } })).closing, 'act');
  assert.equal((await act('/api/do', { target: '/', action: 'extension.set', args: { name: 'cafe', enabled: true, manifest } })).closing, 'act');
  // What somebody sets is there at once.
  const own = card('Rules of the operator');
  await is(own.getByText('It refuses say when args.content is HELLO. Its words: nobody shouts here.'));
  await is(card('Rules of cafe').getByText('It refuses move when args.cups is more than 4.', { exact: false }));
  await isSound(page, 'rules');

  await card('Rules of cafe').getByRole('link', { name: 'cafe' }).click();
  const cafe = card('Extension cafe');
  await is(cafe.getByText('A cafe at the square. It is on for the whole world, and brings 1 type of place, 1 signal and 1 rule.'));
  await cafe.getByText('Signals', { exact: false }).first().click();
  await is(cafe.getByText('Whether it is open'));
  await isSound(page, 'extensions');
  const turn = cafe.getByRole('switch', { name: 'cafe is on' });
  await turn.click();
  await is(cafe.getByText('It is off, and would bring', { exact: false }));
  assert.equal(await turn.isChecked(), false);
  // Its rule holds no more, and does again once the notice has undone it.
  assert.deepEqual(await api('/api/see?address=/.rules'), ['world:no-shouting']);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await is(cafe.getByText('It is on for the whole world', { exact: false }));
  assert.equal(await turn.isChecked(), true);

  // From the settings, from the places of the world and by a few letters one comes there.
  await open('#/settings?of=%2F');
  await page.getByRole('navigation', { name: 'More of the world' }).getByRole('link', { name: 'Rules' }).click();
  await own.getByRole('button', { name: 'Take the rule no shouting back' }).click();
  await isGone(own);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('extens');
  await page.keyboard.press('Enter');
  await is(page.getByRole('heading', { level: 1, name: 'Extensions' }));
  await open('#/');
  await page.getByText('Places', { exact: true }).click();
  await page.getByRole('link', { name: 'Extensions' }).click();
  await turn.click();
  await is(cafe.getByText('It is off', { exact: false }));
});

story('at a zoom of 200 % and on a phone every page has room, and nothing lies on anything else', async () => {
  await open('#/');
  const [seq] = (await api('/api/moments?being=pip')).moments.map((moment) => moment.seq);
  const pages = ['', 'space/square', 'being/mira', 'drive/pip', 'me', 'moments', `moment/${seq}`, 'roles', 'roles/walker', 'flow/pip', 'stacks/square', 'settings?of=%2F', 'rules', 'extensions', 'signals', 'cost', 'health', 'tables', 'measures', 'birth', 'account', `compare?from=10&to=${seq}`];
  const problems = [];
  // Notices of the stories before take room while they stand.
  await page.reload();
  for (const hash of pages) {
    await open(`#/${hash}`);
    await page.waitForLoadState('networkidle');
    problems.push(...(await hasRoom(page, hash || 'world')));
  }
  // The same where one looks at the past.
  await page.evaluate((seq) => { location.hash = '#/signals'; history.replaceState(null, '', `?at=${seq}#/signals`); location.reload(); }, seq);
  await is(page.getByRole('button', { name: 'Back to now' }).first());
  problems.push(...(await hasRoom(page, 'the past')));
  await page.getByRole('button', { name: 'Back to now' }).first().click();
  assert.deepEqual(problems, []);
});

story('every page can be used by keyboard, in the theme one chooses, and one can leave', async () => {
  await open('#/');
  await page.reload();
  await is(page.getByRole('heading', { level: 1, name: /^Two who live at a square/ }));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the page');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
  // From the system's over light to dark, and on to the system's again.
  const theme = page.getByRole('button', { name: /^Light or dark/ });
  await theme.click();
  await theme.click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
  await page.reload();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === 'dark');
  await theme.click();
  const links = (await spaces()).getByRole('link');
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /garden/);
  await open('#/account');
  await is(card('Sessions').getByText('this one'));
  await isSound(page, 'account');
  browser.mayBeAway = true; // from here on one is a visitor again
  await page.getByRole('button', { name: 'Log out' }).click();
  await is(page.getByRole('heading', { name: 'Come in' }));
});

/** After a story that failed: the window is the operator's again, so that those behind it fail for faults of their own. */
async function comesBack() {
  if (!server.isUp) await server.start();
  for (const other of context.pages()) if (other !== page) await other.close();
  if (page.isClosed()) page = await context.newPage();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await login('operator', PASSWORD);
  await page.goto('about:blank');
  await page.goto(`${server.base}/`);
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

// A wait that nobody waits for any more, since its story has failed: it ends no story behind it.
const stray = [];
process.on('unhandledRejection', (error) => stray.push(`unheard: ${error instanceof Error ? error.message : String(error)}`));

let passed = 0;
const failed = [];
const wanted = process.argv.slice(2).join(' ').toLowerCase().split('|').filter(Boolean);
try {
  await model.start();
  await server.start();
  context = await browser.context(server.base);
  page = await context.newPage();
  for (const { name, tell } of stories) {
    // The second story lets the operator in, which all that follow need.
    if (wanted.length > 0 && !wanted.some((words) => name.includes(words)) && !name.startsWith('the one-time link')) continue;
    browser.wrong();
    stray.length = 0;
    storyBegins();
    let problem = null;
    try {
      await tell();
    } catch (error) {
      const place = error instanceof Error ? /stories\.mjs:\d+/.exec(error.stack ?? '')?.[0] : undefined;
      problem = `${error instanceof Error ? error.message : String(error)}${place ? `\nat ${place}` : ''}`;
      mkdirSync(failures, { recursive: true });
      await page.screenshot({ path: join(failures, `${stories.findIndex((each) => each.name === name) + 1}.png`), fullPage: true }).catch(() => undefined);
    }
    if (problem !== null) await comesBack().catch((error) => { problem += `\nand nobody came back: ${error.message}`; });
    browser.mayBeAway = false;
    if (!server.isUp) await server.start();
    const wrong = [...browser.wrong(), ...stray.splice(0)];
    if (problem === null && wrong.length === 0) {
      passed += 1;
      console.log(`ok      ${name}`);
    } else {
      const why = [problem, ...wrong].filter(Boolean).join('\n').split('\n').map((line) => `        ${line}`);
      failed.push([`FAILED  ${name}`, ...why].join('\n'));
      console.log(failed.at(-1));
    }
  }
} catch (error) {
  failed.push(`FAILED  ${error instanceof Error ? error.message : String(error)}`);
  console.log(failed.at(-1));
} finally {
  await browser.close();
  await server.clear();
  await model.stop();
}
// Said again at the end, where one looks first.
if (failed.length > 0) console.log(`\n${failed.join('\n')}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
