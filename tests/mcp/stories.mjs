// Stories of a model outside: the reference client of the protocol drives beings of a world that the real binary serves.
//
//     npm ci && REELM_BIN=../../target/debug/reelm node stories.mjs ['words of a story']
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const binary = process.env.REELM_BIN ?? join(here, '../../target/debug/reelm');
/** How long something that is waited for may take before the story counts as failed. */
const PATIENCE_MS = 120_000;

/** A world that is served, and the command line beside it. */
class World {
  folder = mkdtempSync(join(tmpdir(), 'reelm-mcp-'));
  #child = null;
  #url = '';

  async serve() {
    const words = ['serve', join(here, '../../fixtures/worlds/court'), '--data', 'world', '--port', '0', '--paused', '--json'];
    const child = spawn(binary, words, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    const [line] = await once(createInterface(child.stdout), 'line');
    this.#url = JSON.parse(line).url;
  }

  /** Ends the server as a crash would, or as one who asks it to. */
  async ends(signal) {
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }

  /** A command; what it says, and with which code it ended. */
  types(...words) {
    const { status, stdout, stderr } = spawnSync(binary, [...words, '--data', 'world'], { cwd: this.folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  ok(...words) {
    const { status, stdout, stderr } = this.types(...words);
    assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  person(name, role, more = {}) {
    const birth = { name, cognition: 'human', home: '/court', defaultRole: role, ...more };
    this.ok('be', 'birth', JSON.stringify(birth));
  }

  token(being, ...words) {
    return JSON.parse(this.ok('token', 'make', '--as', being, '--json', ...words));
  }

  http(token, client = {}) {
    const headers = { authorization: `Bearer ${token}` };
    return connected(new StreamableHTTPClientTransport(new URL('mcp', this.#url), { requestInit: { headers } }), client);
  }

  stdio(words, environment = {}) {
    const args = ['mcp', '--data', 'world', ...words];
    const env = { ...process.env, ...environment };
    return connected(new StdioClientTransport({ command: binary, args, cwd: this.folder, env, stderr: 'inherit' }), {});
  }

  remove() {
    this.#child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A client, and what it was told of without asking. */
async function connected(transport, options) {
  const client = new Client({ name: 'stories', version: '1' }, options);
  const news = [];
  const waiting = new Set();
  const hear = (what) => {
    news.push(what);
    waiting.forEach((look) => look());
  };
  client.setNotificationHandler('notifications/tools/list_changed', () => hear('tools'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
  await client.connect(transport);
  /** Waits until something was told of once more than so often. */
  const heard = (what, more) => new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(`never heard of ${what}, only of ${news}`)), PATIENCE_MS);
    const look = () => {
      if (news.filter((piece) => piece === what).length <= more) return;
      waiting.delete(look);
      clearTimeout(late);
      done();
    };
    waiting.add(look);
    look();
  });
  const times = (what) => news.filter((piece) => piece === what).length;
  return { client, heard, times, transport };
}

const names = async (client) => (await client.listTools()).tools.map((tool) => tool.name);
const act = (client, name, args) => client.callTool({ name, arguments: args });
const say = (text) => ({ target: '/court', action: 'say', args: { content: text } });
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** What any client does with any being, whichever way it came. */
async function drives({ client }, world) {
  assert.deepEqual(await names(client), ['see', 'do', 'summon']);
  const { tools } = await client.listTools();
  const [see, does] = tools;
  assert.equal(see.annotations.readOnlyHint, true);
  assert.equal(does.annotations.readOnlyHint, false);
  assert.ok(does.inputSchema.properties.action.enum.includes('say'), JSON.stringify(does));
  assert.match(does.description, /say/);
  assert.match(client.getInstructions(), /You are @mum, in the world/);
  const seen = await act(client, 'see', { address: '/court' });
  assert.match(seen.content[0].text, /^\[you looked at \/court\]/);
  assert.deepEqual(Object.keys(seen.structuredContent).sort(), ['address', 'kind', 'more']);
  // A client that holds results to their schemas hears of a refusal all the same.
  const unseen = await act(client, 'see', { address: '/nowhere' });
  assert.ok(unseen.isError && unseen.structuredContent.code, JSON.stringify(unseen));
  const said = await act(client, 'do', say('good morning'));
  assert.ok(!said.isError, JSON.stringify(said));
  assert.equal(said.structuredContent.being, 'mum');
  const refused = await act(client, 'do', { target: '/', action: 'signal.set', args: { path: 'a.b', value: 1 } });
  assert.equal(refused.isError, true);
  const { code, seq, message, allowed } = refused.structuredContent;
  assert.ok(code.startsWith('gate-') && Number.isInteger(seq) && message && allowed === undefined, JSON.stringify(refused));
  assert.ok(refused.content[0].text.includes(message), JSON.stringify(refused));
  assert.match(world.ok('log', '@mum'), new RegExp(code));
  await assert.rejects(client.callTool({ name: 'fly', arguments: {} }), /see, do, summon and be/);
}

/** Reading addresses as resources. */
async function reads({ client }) {
  const { resources } = await client.listResources();
  const uris = resources.map((resource) => resource.uri);
  assert.ok(uris.includes('reelm:///@mum/.inbox') && uris.includes('reelm:///court'), uris.join(' '));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map((template) => template.uriTemplate), ['reelm:///{+address}']);
  const { contents } = await client.readResource({ uri: 'reelm:///court' });
  assert.equal(JSON.parse(contents[0].text).name, 'court');
  const asked = { ref: { type: 'ref/resource', uri: 'reelm:///{+address}' }, argument: { name: 'address', value: 'cou' } };
  assert.ok((await client.complete(asked)).completion.values.includes('court'));
  await assert.rejects(client.readResource({ uri: 'reelm:///.config' }), (error) => error.data.code.startsWith('gate-'));
}

const stories = {
  'a model drives a being over HTTP': async (world) => {
    const mum = await world.http(world.token('@mum').token);
    await drives(mum, world);
    await reads(mum);
    await mum.client.close();
  },

  'a model drives a being without sessions, as the protocol of 2026 has it': async (world) => {
    const mum = await world.http(world.token('@mum').token, modern);
    await drives(mum, world);
    await reads(mum);
    await mum.client.close();
  },

  'a model drives a being over standard input and output': async (world) => {
    const mum = await world.stdio(['--as', '@mum']);
    await drives(mum, world);
    await reads(mum);
    await mum.client.close();
    const { token } = world.token('@mum', '--only', 'see');
    const eyes = await world.stdio([], { REELM_TOKEN: token });
    assert.deepEqual(await names(eyes.client), ['see']);
    await eyes.client.close();
  },

  'what is said to a being comes to its inbox, and is answered there': async (world) => {
    world.person('dad', 'person');
    const [mum, dad] = [await world.http(world.token('@mum').token), await world.stdio(['--as', '@dad'])];
    const asked = await act(mum.client, 'summon', { target: '@dad', content: 'is there tea?', intent: 'ask' });
    assert.ok(!asked.isError, JSON.stringify(asked));
    const inbox = await act(dad.client, 'see', { address: '@me/.inbox', wait: '30s' });
    const [, wake] = inbox.content[0].text.match(/of @mum waits, wake `([^`]+)`:\n> is there tea\?/);
    const answered = await act(dad.client, 'summon', { content: 'there is', wake });
    assert.ok(!answered.isError, JSON.stringify(answered));
    const { contents } = await mum.client.readResource({ uri: 'reelm:///@mum/.inbox' });
    assert.ok(JSON.parse(contents[0].text).some(({ content, from }) => content === 'there is' && from === '@dad'), contents[0].text);
    await Promise.all([mum, dad].map(({ client }) => client.close()));
  },

  'who keeps an eye on an address hears when it is otherwise': async (world) => {
    const uri = 'reelm:///court';
    const inc = { target: '/court', action: 'quality.inc', args: { path: 'tally.count', by: 1 } };
    const operator = await world.stdio(['--as', '@operator']);
    const other = await world.stdio(['--as', '@mum']);
    const told = await world.http(world.token('@mum').token);
    const changes = async ({ heard, times }) => {
      await heard(uri, 0);
      const before = times(uri);
      assert.ok(!(await act(operator.client, 'do', inc)).isError);
      await heard(uri, before);
    };
    for (const one of [other, told]) {
      await one.client.subscribeResource({ uri });
      await changes(one);
      await assert.rejects(one.client.subscribeResource({ uri: 'reelm:///.config' }), (error) => error.data.code.startsWith('gate-'));
      await one.client.unsubscribeResource({ uri });
    }
    const listener = await world.http(world.token('@mum').token, modern);
    const subscription = await listener.client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
    await changes(listener);
    await subscription.close();
    await Promise.all([operator, other, told, listener].map(({ client }) => client.close()));
  },

  'who wears another role hears that its tools are others': async (world) => {
    world.person('aunt', 'person');
    const aunts = [await world.http(world.token('@aunt').token), await world.stdio(['--as', '@aunt'])];
    const [before] = await Promise.all(aunts.map(({ client }) => names(client)));
    assert.deepEqual(before, ['see', 'do', 'summon']);
    world.ok('do', '/', 'role.set', JSON.stringify({ name: 'mute', role: { name: 'mute', canSee: ['**'] } }));
    world.ok('do', '@aunt', 'flow.set', JSON.stringify({ flow: [{ when: {}, role: 'mute' }] }));
    for (const { client, heard } of aunts) {
      await heard('tools', 0);
      assert.deepEqual(await names(client), ['see']);
      await client.close();
    }
  },

  'a token that is taken back is of no use in the middle of a conversation': async (world) => {
    const { token, id } = world.token('@mum');
    const [http, stdio] = [await world.http(token), await world.stdio([], { REELM_TOKEN: token })];
    world.ok('token', 'take', id);
    await assert.rejects(act(http.client, 'do', say('still here')));
    const refused = await act(stdio.client, 'do', say('still here'));
    assert.equal(refused.structuredContent.code, 'bad-token');
    await assert.rejects(world.http('reelm_nonsense'));
    await Promise.allSettled([http, stdio].map(({ client }) => client.close()));
  },

  'a being that ends in the middle does nothing more': async (world) => {
    world.person('guest', 'person');
    const { token } = world.token('@guest');
    const guests = [await world.http(token), await world.stdio(['--as', '@guest'])];
    world.ok('be', 'end', JSON.stringify({ being: '@guest' }));
    await assert.rejects(act(guests[0].client, 'do', say('still here')));
    assert.equal((await act(guests[1].client, 'do', say('still here'))).isError, true);
    assert.ok(!world.ok('log', '@guest').includes('still here'));
    await Promise.allSettled(guests.map(({ client }) => client.close()));
  },

  'a model goes on after the server was killed, and what it did is the history': async (world) => {
    const { token } = world.token('@mum');
    const stdio = await world.stdio(['--as', '@mum']);
    const keyed = { name: 'do', arguments: say('before it fell'), _meta: { 'reelm/key': 'the one' } };
    const first = await stdio.client.callTool(keyed);
    await world.ends('SIGKILL');
    const alone = await act(stdio.client, 'do', say('into the void'));
    assert.equal(alone.structuredContent.code, 'stopping');
    await world.serve();
    assert.deepEqual((await stdio.client.callTool(keyed)).structuredContent, first.structuredContent);
    const http = await world.http(token);
    assert.ok(!(await act(http.client, 'do', say('and went on'))).isError);
    await Promise.all([stdio, http].map(({ client }) => client.close()));
    await world.ends('SIGTERM');
    assert.match(world.ok('replay'), /identical/);
    world.ok('verify');
    const { status, stderr } = world.types('mcp', '--as', '@mum');
    assert.equal(status, 1);
    assert.match(stderr, /reelm serve/);
  },
};

const wanted = process.argv.slice(2).join(' ');
let [passed, failed] = [0, 0];
const world = new World();
try {
  await world.serve();
  world.person('mum', 'person');
  for (const [name, story] of Object.entries(stories)) {
    if (!name.includes(wanted)) continue;
    try {
      await story(world);
      passed += 1;
      console.log(`ok  ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`not ok  ${name}\n${error.stack}`);
    }
  }
} finally {
  world.remove();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
