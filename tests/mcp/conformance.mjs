// The protocol's conformance suite against a served world. Prints a line of JSON for each check that the suite made.
//
//     npm ci && REELM_URL=http://127.0.0.1:8080/ REELM_TOKEN=reelm_… node conformance.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const server = new URL(process.env.REELM_URL);
const token = process.env.REELM_TOKEN;

/** A proxy that adds the token, since the suite sends none. */
async function proxy() {
  const door = createServer((asked, answer) => {
    const { hostname, port } = server;
    const sent = request({ hostname, port, path: asked.url, method: asked.method, headers: headers(asked, door) }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return door;
}

/** The proxy's own name becomes the server's. A foreign one passes: the suite asks whether the server turns it away. */
function headers(asked, door) {
  const own = `127.0.0.1:${door.address().port}`;
  const named = Object.entries(asked.headers).filter(([name]) => name === 'host' || name === 'origin');
  const renamed = named.map(([name, value]) => [name, value.replace(own, server.host)]);
  return { ...asked.headers, ...Object.fromEntries(renamed), authorization: `Bearer ${token}` };
}

/** What the suite prints. It ends with an error whenever a check fails, so its code says nothing. */
async function suite(...words) {
  const main = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = ['--import', pathToFileURL(join(here, 'older.mjs')).href, main, ...words];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([text(run.stdout), once(run, 'close')]);
  return said;
}

/** The names of all scenarios for servers. */
async function scenarios() {
  const listed = await suite('list', '--server');
  return [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/** The checks of a scenario, from the folder `server-NAME-TIME` that the suite wrote. One that broke off wrote none. */
function checks(folder, scenario) {
  const written = readdirSync(folder).find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === `server-${scenario}`);
  if (!written) return [{ scenario, check: 'ran', status: 'FAILURE', message: 'the scenario broke off' }];
  const made = JSON.parse(readFileSync(join(folder, written, 'checks.json'), 'utf8'));
  return made.map(({ id, status, errorMessage }) => ({ scenario, check: id, status, message: errorMessage ?? '' }));
}

const door = await proxy();
const folder = mkdtempSync(join(tmpdir(), 'reelm-conformance-'));
try {
  await suite('server', '--url', `http://127.0.0.1:${door.address().port}/mcp`, '--suite', 'all', '--output-dir', folder);
  const all = (await scenarios()).flatMap((scenario) => checks(folder, scenario));
  all.forEach((check) => console.log(JSON.stringify(check)));
} finally {
  door.closeAllConnections();
  door.close();
  rmSync(folder, { recursive: true, force: true });
}
