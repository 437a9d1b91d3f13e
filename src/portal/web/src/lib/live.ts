// The event stream: every moment once and in order, through lost connections and restarts of the server.
//
// It asks again behind the last id that it has seen and passes over what it has seen already, so nothing is missing and nothing comes twice.
// Of many the server sends a sample, and a pulse counts all that came since the id before it.
import { readJson } from './exact.ts';
import { Silence } from './silence.ts';
import { ofPulse, type Happened } from './timeline.ts';
import type { ClockEvent, Pulse, Report } from './wire.ts';
import { inWorld } from './worlds.ts';

export interface Listener {
  moments(reports: Report[]): void;
  /** Each moment once, alone or in a count. */
  happened(happened: Happened[]): void;
  pulses(pulses: Pulse[]): void;
  clock(clock: ClockEvent): void;
  state(state: 'live' | 'lost', tries: number): void;
  /** For how many seconds no event has come, once that is to be said; 0: the line speaks. */
  silent(seconds: number): void;
}

const WAIT_FIRST_MS = 400;
const WAIT_MAX_MS = 8000;
/** Moments come in flocks; the page redraws once for each flock. */
const FLOCK_MS = 80;
/** How often the page looks whether the line is silent. */
const LISTEN_MS = 1000;
/** How many whole moments a second the page wants: more nobody reads. */
const MOST = 40;

export class Live {
  #source: EventSource | null = null;
  #waiting: ReturnType<typeof setTimeout> | null = null;
  #flock: Report[] = [];
  #happened: Happened[] = [];
  #pulses: Pulse[] = [];
  #seen: number;
  #view: string | null = null;
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #tries = 0;
  #silence = new Silence();
  #said = 0;
  #listening: ReturnType<typeof setInterval>;
  #listener: Listener;
  last: number;

  constructor(from: number, listener: Listener) {
    this.last = from;
    this.#seen = from;
    this.#listener = listener;
    this.#listening = setInterval(() => this.#listen(), LISTEN_MS);
    this.#open();
  }

  /** Has moments come only of one space and what lies in it; null: of all. What happens elsewhere is counted. */
  look(view: string | null): void {
    if (view === this.#view) return;
    this.#view = view;
    if (this.#source !== null) this.#open();
  }

  /** Tries at once instead of at the end of the wait. */
  retry(): void {
    if (this.#waiting === null) return;
    clearTimeout(this.#waiting);
    this.#open();
  }

  /** Lets go of the connection; what happens meanwhile comes when it wakes. */
  sleep(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    this.#waiting = null;
    this.#source?.close();
    this.#source = null;
    this.#hush();
    this.#hand();
  }

  wake(): void {
    if (this.#source === null) this.#open();
    else this.retry();
  }

  /** Nobody looks at the tab, or somebody does again: only then silence counts. */
  shown(isShown: boolean): void {
    if (isShown && this.#source !== null && this.#waiting === null) this.#word();
    else this.#hush();
  }

  close(): void {
    this.#source?.close();
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    clearInterval(this.#listening);
  }

  #open(): void {
    this.#waiting = null;
    this.#source?.close();
    const view = this.#view === null ? '' : `&in=${encodeURIComponent(this.#view)}`;
    const source = new EventSource(inWorld(`/api/events?from=${this.last + 1}&most=${MOST}${view}`));
    this.#source = source;
    this.#word();
    source.onopen = () => {
      this.#word();
      this.#tries = 0;
      this.#listener.state('live', 0);
    };
    source.addEventListener('moment', (event) => this.#moment(event));
    source.addEventListener('pulse', (event) => this.#pulse(event));
    source.addEventListener('clock', (event) => {
      this.#word();
      const clock = parse<ClockEvent>(event);
      if (clock) this.#listener.clock(clock);
    });
    source.onerror = () => this.#cut();
  }

  /** The connection is lost: tries again after a while. */
  #cut(): void {
    // The browser's own reconnecting knows neither how long to wait nor what to say, so it is done here.
    this.#source?.close();
    this.#hush();
    this.#tries += 1;
    this.#listener.state('lost', this.#tries);
    const wait = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** Math.min(this.#tries - 1, 6));
    this.#waiting = setTimeout(() => this.#open(), wait);
  }

  // ---- silence
  /** A word came: any event is one, also a clock that says the same again. */
  #word(): void {
    if (document.hidden) this.#silence.end();
    else this.#silence.begin(performance.now());
    this.#say(0);
  }

  #hush(): void {
    this.#silence.end();
    this.#say(0);
  }

  #listen(): void {
    const now = performance.now();
    if (this.#silence.isCut(now)) this.#cut();
    else this.#say(this.#silence.said(now));
  }

  #say(seconds: number): void {
    if (seconds === this.#said) return;
    this.#said = seconds;
    this.#listener.silent(seconds);
  }

  #moment(event: MessageEvent<string>): void {
    this.#word();
    const report = parse<Report>(event);
    if (!report || typeof report.seq !== 'number') return;
    // What has no id of its own a pulse will count.
    if (event.lastEventId === String(report.seq) && report.seq > this.last) {
      this.last = report.seq;
      this.#happened.push(report);
    }
    if (report.seq > this.#seen) {
      this.#seen = report.seq;
      this.#flock.push(report);
    }
    this.#gather();
  }

  #pulse(event: MessageEvent<string>): void {
    this.#word();
    const pulse = parse<Pulse>(event);
    if (!pulse || typeof pulse.seq !== 'number' || pulse.seq <= this.last) return;
    this.#happened.push(ofPulse(pulse, this.last + 1));
    this.#pulses.push(pulse);
    this.last = pulse.seq - 1;
    this.#gather();
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#hand(), FLOCK_MS);
  }

  /** Hands on what has been gathered. */
  #hand(): void {
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    const [flock, happened, pulses] = [this.#flock, this.#happened, this.#pulses];
    [this.#flock, this.#happened, this.#pulses] = [[], [], []];
    if (happened.length > 0) this.#listener.happened(happened);
    if (pulses.length > 0) this.#listener.pulses(pulses);
    if (flock.length > 0) this.#listener.moments(flock);
  }
}

function parse<T>(event: MessageEvent<string>): T | null {
  try {
    return readJson(event.data) as T;
  } catch {
    return null;
  }
}
