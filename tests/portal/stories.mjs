// The stories of the portal, end to end: a real browser, the real server, a world of their own. One line a story.
//
//     REELM_BIN=target/debug/reelm node tests/portal/stories.mjs [words of a story's name]
//
// Everything waits for conditions, nothing for time. A page error, a console error or a request to the outside fails the story it falls in.
import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser, isSound, Server } from './kit.mjs';

/** Where pages are kept as they looked when their story failed. */
const failures = join(dirname(fileURLToPath(import.meta.url)), 'failed');
rmSync(failures, { recursive: true, force: true });

const server = new Server();
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
const card = (name, on = page) => on.getByRole('region', { name });
const is = async (locator) => locator.waitFor({ state: 'visible' });
const isGone = async (locator) => locator.waitFor({ state: 'detached' });

story('a visitor is told how to come in', async () => {
  const other = await browser.context(server.base);
  const stranger = await other.newPage();
  browser.mayBeAway = true; // what a visitor may not see is a 403, which the browser reports
  await open('#/', stranger);
  await is(stranger.getByText(/You see nothing of this world/).or(stranger.getByRole('heading', { name: /Log in/ })));
  await isSound(stranger, 'world as a visitor');
  await open('#/login', stranger);
  await is(stranger.getByRole('heading', { name: /Log in/ }));
  await isSound(stranger, 'login');
  await stranger.getByLabel('Your being').fill('@mira');
  await stranger.getByLabel('Password').fill('not the password');
  await stranger.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(stranger.getByText('This name and password do not belong together.'));
  browser.mayBeAway = false;
  await other.close();
});

story('the one-time link lets the operator in, once, and a password lets them come back', async () => {
  browser.mayBeAway = true; // until the link is traded one is a visitor
  await page.goto(server.link);
  await is(page.getByRole('heading', { name: 'Welcome, @operator' }));
  await isSound(page, 'welcome');
  browser.mayBeAway = false;
  await page.getByLabel('New password').fill('a long enough secret');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.waitForURL(at('#/'));
  browser.mayBeAway = true;
  const other = await browser.context(server.base);
  const second = await other.newPage();
  await second.goto(server.link);
  await is(second.getByRole('heading', { name: 'This link does not let you in' }));
  await open('#/login', second);
  await second.getByLabel('Your being').fill('operator');
  await second.getByLabel('Password').fill('a long enough secret');
  await second.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(second.getByRole('link', { name: /@operator/ }));
  await other.close();
});

story('one watches a simulated world move', async () => {
  await open('#/');
  await is(page.getByRole('heading', { level: 1, name: 'square', exact: true }));
  await isSound(page, 'world');
  await page.getByRole('navigation', { name: 'Spaces' }).getByRole('link', { name: /square/ }).click();
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
  await page.waitForFunction(async (seq) => (await (await fetch('/api/world')).json()).seq > seq, seq);
  await is(page.getByRole('button', { name: 'Let the world go on' }));
  await page.getByRole('button', { name: 'Let the world go on' }).click();
  await is(page.getByRole('button', { name: 'Pause the world' }));
  await page.getByLabel('Pace, 1 to 600').fill('50');
  await page.getByLabel('Pace, 1 to 600').press('Enter');
  await page.waitForFunction(async () => /50/.test((await (await fetch('/api/world')).json()).clock.pace));
  // The panel of whatever one chooses, with all that may be done.
  await page.locator('svg a.matter[aria-label^="fountain"]').click();
  const panel = card('Panel of /square/fountain');
  await is(panel.getByText('Water, and a duck'));
  await panel.getByText('quality.set', { exact: true }).click();
  const form = panel.locator('details[open]');
  await form.getByLabel('path', { exact: true }).fill('water.depth');
  await form.getByLabel('value', { exact: true }).fill('3');
  await form.getByRole('button', { name: 'Do it' }).click();
  await is(panel.getByText('depth', { exact: true }));
  await isSound(page, 'space with a panel');
});

story('a moment opens and says why', async () => {
  await open('#/moments');
  const rows = page.getByRole('region', { name: 'Moments, the newest first' });
  await rows.locator('[data-seq]').first().waitFor();
  await isSound(page, 'moments');
  await page.getByLabel('Being', { exact: true }).fill('pip');
  await page.getByLabel('Action', { exact: true }).fill('move');
  await page.waitForFunction(() => { const rows = [...document.querySelectorAll('[data-seq]')]; return rows.length > 0 && rows.every((row) => row.textContent.includes('@pip') && row.textContent.includes('move')); });
  await page.getByLabel('Search', { exact: true }).fill('nothing says this');
  await is(page.getByText('No moment fits.'));
  await page.getByRole('button', { name: 'Clear' }).click();
  const first = rows.locator('[data-seq]').filter({ hasText: '@mira' }).first();
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
  await card('Your inbox').getByRole('button', { name: 'Put away' }).first().click();
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
  await page.getByRole('button', { name: 'Publish the role' }).click();
  await is(page.getByText('version 2', { exact: true }));
  const changed = await api('/api/roles/gardener');
  assert.match(changed.role.prompt, /Roses first\.$/);
  assert.deepEqual(changed.role.canDo.at(-1), { action: 'move', on: { rel: 'self' } });

  // Somebody else was faster: nothing is overwritten unseen.
  await act('/api/do', { target: '/', action: 'role.set', args: { name: 'gardener', role: { ...changed.role, description: 'Somebody else was here.' } } });
  await page.getByLabel('What it is, in a sentence').fill('Mine.');
  await page.getByLabel('What it is, in a sentence').press('Tab');
  browser.mayBeAway = true; // a conflict may be a 409, which the browser reports
  await page.getByRole('button', { name: 'Publish the role' }).click();
  await is(page.getByText('Somebody published another version of gardener meanwhile.'));
  browser.mayBeAway = false;
  await page.getByRole('button', { name: 'Read theirs, and drop mine' }).click();
  await is(page.getByText('Somebody else was here.', { exact: true }));
  const history = card('History');
  await history.getByRole('listitem').filter({ hasText: /^1 / }).getByRole('button', { name: 'Roll back to it' }).click();
  await is(page.getByText('version 4', { exact: true }));
  assert.deepEqual((await api('/api/roles/gardener')).role.canDo, [{ action: 'say', on: { rel: 'here' } }]);

  // The flow, as sentences: what she would wear now follows while one writes.
  await open('#/flow/mira');
  const now = page.getByTestId('now');
  await is(now.getByText('gardener'));
  await isSound(page, 'flow as sentences');
  const value = page.getByLabel('Value for world.square.festival');
  await page.getByLabel('Role of clause 1').fill('gardner');
  await is(page.getByText(/the role `gardner` is not registered/));
  await page.getByLabel('Role of clause 1').fill('gardener');
  await is(page.getByText('The lint has nothing to say.'));
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
  await isGone(page.getByText('not published'));
  assert.deepEqual(await api('/api/see?address=@mira/.flow'), [{ role: 'dancer', when: { 'world.square.festival': false } }, { role: 'gardener' }]);
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
  await is(tab.getByRole('heading', { name: 'You drive @nova' }));
  await is(tab.getByText('You drive @nova.', { exact: false }).first());
  await is(page.getByText('driven by @operator').first());
  await isSound(tab, 'drive');

  // Walk by keyboard, say something; the first tab sees both.
  const nova = tab.locator('svg a.being[aria-label^="nova"]');
  await tab.getByRole('group', { name: /the arrow keys walk @nova/ }).focus();
  await tab.keyboard.press('ArrowRight');
  await tab.locator('svg a.being[aria-label^="nova at 3, 1"]').waitFor();
  await nova.waitFor();
  // On the world's page too, by a click on a cell.
  await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'World' }).click();
  await tab.getByRole('navigation', { name: 'Spaces' }).getByRole('link', { name: /square/ }).click();
  const floor = tab.getByRole('group', { name: /the arrow keys walk @nova/ });
  const box = await floor.boundingBox();
  await floor.click({ position: { x: (box.width * 1.5) / 6, y: (box.height * 2.5) / 4 } });
  await tab.locator('svg a.being[aria-label^="nova at 1, 2"]').waitFor();
  await isSound(tab, 'world while one drives');
  await tab.getByRole('link', { name: 'Its inbox' }).click();
  await tab.getByLabel('Say aloud, to all who are here').fill('Somebody drives me.');
  await tab.getByRole('button', { name: 'Say', exact: true }).click();
  await is(card('Its last moments').getByText('Somebody drives me.').first());
  await is(card('Its last moments').getByText('driven by @operator').first());

  // What the worn role does not list is said so; what is refused is a moment that says why.
  const may = card('What you may do here', tab);
  await may.getByText(/What may not be done/).first().click();
  await is(may.getByText('the role it wears now does not list this').first());
  await may.getByText('move', { exact: true }).first().click();
  await may.getByLabel('coords').first().fill('99, 99');
  await may.getByRole('button', { name: 'Do it' }).first().click();
  await is(tab.getByText(/Refused: the place lies outside the grid/));
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
  await is(page.getByRole('heading', { name: '@guest' }));

  browser.mayBeAway = true; // what a guest may not see is a 403, which the browser reports
  const other = await browser.context(server.base);
  const guest = await other.newPage();
  await open('#/login', guest);
  await guest.getByLabel('Your being').fill('@guest');
  await guest.getByLabel('Password').fill('let me in please');
  await guest.locator('main').getByRole('button', { name: 'Log in' }).click();
  await is(guest.getByRole('link', { name: /@guest/ }));
  await open('#/drive/pip', guest);
  await is(guest.getByText('You may not inhabit @pip:'));
  await is(guest.getByText(/the role it wears now does not list this|only an ancestor may do this/).first());
  await open('#/me', guest);
  await is(guest.getByRole('heading', { name: 'You are @guest' }));
  await isSound(guest, 'me, as a guest');
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
  await page.waitForFunction(async (last) => (await (await fetch('/api/moments?being=@fay&closing=dead-letter&limit=1')).json()).moments[0].seq > last, last);
  await dead.getByRole('button', { name: 'Requeue all' }).click();
  await is(page.getByText('The wake of @fay is open again').first());
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

story('every page can be used by keyboard, in the theme one chooses, and one can leave', async () => {
  await open('#/');
  await page.reload();
  await is(page.getByRole('heading', { level: 1, name: 'square', exact: true }));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the page');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
  await page.getByLabel('Light or dark').selectOption('dark');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
  await page.reload();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === 'dark');
  await page.getByLabel('Light or dark').selectOption('system');
  const links = page.getByRole('navigation', { name: 'Spaces' }).getByRole('link');
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /garden/);
  await open('#/account');
  await is(page.getByText('this one'));
  await isSound(page, 'account');
  browser.mayBeAway = true; // from here on one is a visitor again
  await page.getByRole('button', { name: 'Log out' }).click();
  await is(page.getByRole('heading', { name: /Log in/ }));
});

let [passed, failed] = [0, 0];
const wanted = process.argv.slice(2).join(' ').toLowerCase();
try {
  await server.start();
  context = await browser.context(server.base);
  page = await context.newPage();
  for (const { name, tell } of stories) {
    // The second story lets the operator in, which all that follow need.
    if (wanted && !name.includes(wanted) && !name.startsWith('the one-time link')) continue;
    browser.wrong();
    let problem = null;
    try {
      await tell();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      mkdirSync(failures, { recursive: true });
      await page.screenshot({ path: join(failures, `${stories.findIndex((each) => each.name === name) + 1}.png`), fullPage: true }).catch(() => undefined);
    }
    browser.mayBeAway = false;
    if (!server.isUp) await server.start();
    const wrong = browser.wrong();
    if (problem === null && wrong.length === 0) {
      passed += 1;
      console.log(`ok      ${name}`);
    } else {
      failed += 1;
      console.log(`FAILED  ${name}`);
      for (const line of [problem, ...wrong].filter(Boolean).join('\n').split('\n')) console.log(`        ${line}`);
    }
  }
} catch (error) {
  failed += 1;
  console.log(`FAILED  ${error instanceof Error ? error.message : String(error)}`);
} finally {
  await browser.close();
  await server.clear();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
