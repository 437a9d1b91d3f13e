// A line that is silent says so: five seconds are said, fifteen are a cut, and what nobody looks at is not counted.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Live } from '../src/lib/live.ts';
import { silenceText } from '../src/lib/silence.ts';

/** A stream that the test speaks through. */
class Stream {
  static all: Stream[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  #hear = new Map<string, (event: object) => void>();
  constructor() { Stream.all.push(this); }
  addEventListener(name: string, hear: (event: object) => void): void { this.#hear.set(name, hear); }
  close(): void { this.isClosed = true; }
  say(name: string, data: object): void { this.#hear.get(name)?.({ data: JSON.stringify(data), lastEventId: '' }); }
}
const newest = (): Stream => Stream.all.at(-1) as Stream;

/** The clock of the test. */
let now = 0;
const page = { hidden: false };
let heard: string[] = [];
let live: Live;
const CLOCK = { pace: 'paced 60', state: 'paused' };

/** Lets time pass, second by second. */
function pass(seconds: number): void {
  for (let each = 0; each < seconds; each++) {
    now += 1000;
    mock.timers.tick(1000);
  }
}

beforeEach(() => {
  [now, heard, page.hidden, Stream.all] = [0, [], false, []];
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  mock.method(performance, 'now', () => now);
  Object.assign(globalThis, { EventSource: Stream, document: page, location: { pathname: '/', href: 'http://x/' } });
  live = new Live(0, {
    moments: () => undefined, happened: () => undefined, pulses: () => undefined, clock: () => undefined,
    state: (state) => heard.push(state), silent: (seconds) => heard.push(seconds === 0 ? 'a word' : silenceText(seconds)),
  });
  newest().onopen?.();
});
afterEach(() => {
  live.close();
  mock.reset();
  mock.timers.reset();
});

test('a clock that says the same again is a word', () => {
  for (let each = 0; each < 20; each++) {
    pass(2);
    newest().say('clock', CLOCK);
  }
  assert.deepEqual(heard, ['live']);
});

test('five seconds without a word are said and counted on, and the next word ends it', () => {
  pass(4);
  assert.deepEqual(heard, ['live']);
  pass(3);
  assert.deepEqual(heard, ['live', 'no word for 5 s', 'no word for 6 s', 'no word for 7 s']);
  newest().say('clock', CLOCK);
  assert.equal(heard.at(-1), 'a word');
  pass(4);
  assert.equal(heard.at(-1), 'a word');
});

test('fifteen seconds are a cut, and the page connects anew', () => {
  const first = newest();
  pass(14);
  assert.equal(heard.at(-1), 'no word for 14 s');
  pass(1);
  assert.deepEqual([heard.slice(-2), first.isClosed], [['a word', 'lost'], true]);
  pass(1);
  assert.equal(Stream.all.length, 2);
  newest().onopen?.();
  assert.equal(heard.at(-1), 'live');
  // Neither does a line that is never opened hang for ever.
  const second = newest();
  pass(15);
  assert.deepEqual([second.isClosed, heard.at(-1)], [true, 'lost']);
});

test('a tab that was hidden counts from when it is shown and connected again', () => {
  page.hidden = true;
  live.shown(false);
  newest().say('clock', CLOCK);
  pass(60);
  assert.deepEqual(heard, ['live'], 'nor does a word that came meanwhile begin a count');
  page.hidden = false;
  live.shown(true);
  pass(4);
  assert.deepEqual(heard, ['live']);
  pass(1);
  assert.equal(heard.at(-1), 'no word for 5 s');
  // One that had let go of the line counts from its new beginning.
  page.hidden = true;
  live.shown(false);
  live.sleep();
  pass(60);
  page.hidden = false;
  live.shown(true);
  live.wake();
  pass(4);
  newest().onopen?.();
  pass(4);
  assert.ok(!heard.slice(heard.lastIndexOf('a word')).includes('no word for 5 s'));
  assert.equal(heard.filter((each) => each === 'lost').length, 0);
});
