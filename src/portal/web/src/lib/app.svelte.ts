// What all pages share: who one is, the world and its clock, the stream of moments, the tree.
import { api, ApiError, heard, InThePast, isRefusal, newKey, past, troubleText } from './api.ts';
import { drafts } from './drafts.svelte.ts';
import { undone, type Change } from './change.ts';
import { all, whereIs } from './grid.ts';
import { endedHere, lastIn, seatLeft } from './kept.ts';
import { hues } from './hues.svelte.ts';
import { learn } from './known.ts';
import { Many } from './crowd.ts';
import { lens } from './lens.svelte.ts';
import { letters } from './letters.svelte.ts';
import { Live } from './live.ts';
import { isDone, isEnd, isFailed, isRefused } from './moment.ts';
import { newerOf, numbersOf } from './numbers.ts';
import { router } from './route.svelte.ts';
import { BUBBLE_MS, ENDED_MS, gone, hanging, isSame, type Bubble, type Ended } from './said.ts';
import type { Happened } from './timeline.ts';
import type { Clock, Numbers, Reason, Report, Session, Space, WorldInfo, Worlds } from './wire.ts';
import { same } from './value.ts';
import { at, bare, why } from './words.ts';

/** How many moments the page keeps at hand. */
const KEPT_MAX = 400;
/** How often the tree is read again while things happen. */
const TREE_MS = 900;
/** So many beings the tree names at most. A world of more is a crowd: pulses move it, and it is read anew now and then. */
const TREE_MOST = 600;
const CROWD_MS = 30_000;
/** How long a tab may lie behind others before it lets go of the stream: a browser holds six connections to one server. */
const ASLEEP_MS = 20_000;
/** How long a note stays: that all went well, and that it did not. */
const NOTE_MS = { fine: 4000, refused: 12_000, failed: 12_000 };
/** A note that offers to undo stays long enough to be read and reached. */
const UNDO_MS = 20_000;
const NOTES_MAX = 3;

export interface Note { id: number; tone: 'fine' | 'refused' | 'failed'; text: string; href?: string; isAway?: boolean; undo?: () => Promise<void> }

class App {
  session = $state<Session | null>(null);
  world = $state<WorldInfo | null>(null);
  /** The worlds of this server that one may know of. */
  worlds = $state.raw<Worlds | null>(null);
  clock = $state<Clock | null>(null);
  /** The first measures and the sentence on the world, all of one seq: that of the past where the page stands there. */
  numbers = $state.raw<Numbers | null>(null);
  /** For how many seconds the stream has been silent, once that is to be said. */
  silent = $state(0);
  /** How many clocks the stream has told. */
  #clocks = 0;
  tree = $state.raw<Space | null>(null);
  /** Those in view in a world of many; null where the tree names all. Its lists change in place: `stirs` counts up whenever they do. */
  crowd = $state.raw<Many | null>(null);
  stirs = $state(0);
  /** Why the tree may not be seen. */
  dark = $state<string | null>(null);
  /** The newest first. */
  moments = $state.raw<Report[]>([]);
  /** The flock that came last, for pages that look for something in it. */
  flock = $state.raw<Report[]>([]);
  bubbles = $state.raw<Bubble[]>([]);
  /** Who has ended a short while ago. */
  farewells = $state.raw<Ended[]>([]);
  link = $state<'loading' | 'live' | 'lost' | 'unreachable'>('loading');
  tries = $state(0);
  notes = $state.raw<Note[]>([]);
  /** The being that this tab drives, without the @. */
  driving = $state<string | null>(null);
  /** How many other tabs of oneself drive it too. */
  otherTabs = $state(0);
  /** Said when this tab stopped driving a being without one's doing, and who drives it now, if anybody. */
  lostDrive = $state<{ name: string; by: string | null } | null>(null);
  /** What money is called here, once somebody needed to know. */
  currency = $state<string | null>(null);
  /** Where in the past the whole page stands: all frames below that seq; null: now. */
  at = $state<number | null>(null);
  /** A point that somebody has marked, to compare others with it. */
  mark = $state<number | null>(null);
  /** Whose session has ended without their doing, until somebody comes in again. */
  ended = $state<string | null>(null);
  /** Counts up whenever the stream came back, or one went to another time: what was read before may be old. */
  returns = $state(0);

  /** Counts up whenever a change was taken back: a page on which one edits it begins anew. */
  undone = $state(0);

  /** Counts up whenever the stream begins, or came back. */
  gaps = $state(0);

  constructor() {
    heard.notYours = (being) => {
      if (being === this.session?.being) this.#look();
      else this.#lose(bare(being));
    };
    heard.notIn = () => this.#look();
  }

  #live: Live | null = null;
  #treeTimer: ReturnType<typeof setTimeout> | null = null;
  #treeAgain = false;
  #noteId = 0;

  /** Whether the page that is open is that of the being that this tab drives. */
  get actsAsDriven(): boolean {
    return this.driving !== null && router.now.page === 'drive' && router.now.rest === this.driving;
  }
  /** As whom the page that is open reads and acts: only that of a being that is driven has its eyes. */
  get as(): string {
    return this.driving && this.actsAsDriven ? at(this.driving) : (this.session?.being ?? '');
  }
  get me(): string {
    return bare(this.session?.being);
  }
  get visitor(): boolean {
    return this.session?.visitor ?? true;
  }

  /** Whether one is not logged in, and the world shows nothing to whoever is not. */
  get outside(): boolean {
    return this.session !== null && this.session.visitor && !this.session.sees;
  }
  /** Whether one may do nothing else before one has set a password. */
  get passwordFirst(): boolean {
    return this.session?.passwordFirst ?? false;
  }

  async begin(): Promise<void> {
    this.#stand(null);
    try {
      await this.#learn();
      this.session = await api.session();
      this.#remember();
      if (this.passwordFirst) {
        this.link = 'live';
        return;
      }
      this.world = await api.world();
      drafts.own(this.world.world, this.session.being ?? '');
      hues.leave();
      hues.own(this.world.hues ?? {});
      letters.own(this.world.world, this.session.being ?? '');
      await this.#resume();
    } catch (error) {
      this.link = 'unreachable';
      if (!(error instanceof ApiError) || error.status !== 0) this.fail(error);
      setTimeout(() => void this.begin(), 2000);
      return;
    }
    this.clock = { ...this.world.clock };
    this.numbers = numbersOf(this.world);
    this.moments = [];
    this.#live?.close();
    // Of a world that shows nothing, nothing more is asked.
    if (this.outside) {
      this.link = 'live';
      return;
    }
    void this.readTree();
    void this.readWorlds();
    if (!this.visitor || this.world.seesPast) {
      try {
        this.moments = (await api.moments({}, null, 100)).moments;
      } catch {
        // Whoever may not read the past still sees what happens from now on.
      }
    }
    // What the list shows already does not come again, and what happened since does.
    this.#live = new Live(this.moments[0]?.seq ?? (this.world.seq ?? 0) - 1, {
      moments: (flock) => this.#take(flock),
      happened: (happened) => this.#count(happened),
      pulses: (pulses) => { if (this.crowd?.take(pulses)) this.stirs += 1; },
      clock: ({ numbers, ...clock }) => {
        this.#clocks += 1;
        this.clock = clock;
        if (numbers && this.at === null) this.numbers = newerOf(this.numbers, numbers);
      },
      silent: (seconds) => { this.silent = seconds; },
      state: (state, tries) => this.#linked(state, tries),
    });
    await this.travelByAddress();
  }

  /** What the server knows is asked before anything is drawn; another version of it may have come up meanwhile. */
  async #learn(): Promise<void> {
    const [words, codes] = await Promise.all([api.words(), api.codes()]);
    learn(words, codes);
  }

  #linked(state: 'live' | 'lost', tries: number): void {
    const wasLost = this.link === 'lost';
    this.link = state;
    this.tries = tries;
    if (state === 'live') this.notes = this.notes.filter((note) => !note.isAway);
    // The stream does not say why it ended: perhaps somebody revoked the session.
    if (state === 'lost') this.#look();
    if (state === 'live' && wasLost) {
      this.returns += 1;
      this.gaps += 1;
      // A lease outlives a lost connection, and a server that died: whether it still holds the server says, and it is taken up again.
      void this.#heartbeat();
      void this.#learn().catch(() => undefined);
      void this.readWorld();
      void this.readTree();
    }
  }

  retry(): void {
    this.#live?.retry();
  }

  #falling: ReturnType<typeof setTimeout> | null = null;
  /** The tab went behind others, or came back: the stream goes on from where it was. */
  seen(isSeen: boolean): void {
    if (this.#falling !== null) clearTimeout(this.#falling);
    this.#falling = null;
    this.#live?.shown(isSeen);
    if (!isSeen) {
      this.#falling = setTimeout(() => this.#live?.sleep(), ASLEEP_MS);
      return;
    }
    if (this.at === null) this.#live?.wake();
    if (this.link === 'live' && this.at === null) this.treeSoon();
  }

  #take(flock: Report[]): void {
    this.#seeWorn(flock.flatMap((report) => report.stack.slice(0, 1)), true);
    this.flock = flock;
    this.moments = [...flock.toReversed(), ...this.moments].slice(0, KEPT_MAX);
    const last = flock.at(-1);
    if (last && this.world) {
      this.world.seq = last.seq;
      this.world.at = last.at;
      this.world.time = last.time;
    }
    if (this.crowd) {
      if (this.crowd.walk(flock)) this.stirs += 1;
    } else this.#walk(flock);
    this.#hang(flock);
    this.treeSoon();
  }

  /** Hangs up what was said, and takes it down in time. */
  #hang(flock: Report[]): void {
    const now = Date.now();
    const [bubbles, ends] = [hanging(this.bubbles, flock, now), gone(this.farewells, flock, now)];
    for (const [isOther, ms] of [[!isSame(bubbles, this.bubbles), BUBBLE_MS], [!isSame(ends, this.farewells), ENDED_MS]] as const) {
      if (isOther) setTimeout(() => this.#hang([]), ms + 50);
    }
    if (!isSame(bubbles, this.bubbles)) this.bubbles = bubbles;
    if (!isSame(ends, this.farewells)) this.farewells = ends;
  }

  /** Counts what happened, also what was not sent whole. */
  #count(happened: Happened[]): void {
    lens.grow(happened);
    const last = happened.at(-1);
    if (last && this.world) {
      this.world.seq = last.seq;
      this.world.time = last.time;
    }
  }

  /** Shows a space: in a world of many, moments come only from there. */
  async view(address: string): Promise<void> {
    if (address === this.#view) return;
    this.#view = address;
    if (this.crowd) await this.#readCrowd();
  }

  #view = '/';
  async #readCrowd(): Promise<void> {
    const [as, view, at] = [this.as, this.#view, this.at];
    const crowd = new Many(await api.crowd(as, view));
    if (as !== this.as || view !== this.#view || at !== this.at) return;
    this.#live?.look(view === '/' ? null : view);
    this.#seeWorn(crowd.roleNames.slice(1));
    this.crowd = crowd;
    this.stirs += 1;
  }

  /** Roles are worn: the hues of those that are new are asked of the server. */
  #seeWorn(roles: string[], isOfMoments = false): void {
    if (hues.lacks(roles, isOfMoments)) void api.world().then((world) => hues.own(world.hues ?? {}), () => undefined);
  }

  /** Moves whoever acted on the tree at hand, so that one sees it at once; the tree read later has the last word. */
  #walk(flock: Report[]): void {
    if (!this.tree) return;
    const last = new Map(flock.filter((report) => report.space).map((report) => [report.being, report]));
    if (last.size === 0) return;
    const walkers = new Map<string, Space['beings'][number]>();
    const strip = (space: Space): Space => ({
      ...space,
      beings: space.beings.filter((being) => {
        const report = last.get(being.name);
        if (!report) return true;
        // A being that has ended stands nowhere any more.
        if (!isEnd(report)) walkers.set(being.name, { ...being, coords: report.coords ?? null, wearing: report.stack.length > 0 ? report.stack : being.wearing });
        return false;
      }),
      spaces: space.spaces.map(strip),
    });
    const place = (space: Space): Space => ({
      ...space,
      beings: [...space.beings, ...[...walkers.values()].filter((being) => last.get(being.name)?.space === space.address)],
      spaces: space.spaces.map(place),
    });
    this.tree = place(strip(this.tree));
  }

  /** Reads what money is called; whoever may not read the configuration does without. */
  async readCurrency(): Promise<void> {
    try {
      const currency = (await api.config(this.as))['llm.currency'];
      this.currency = typeof currency === 'string' ? currency : null;
    } catch {
      // An amount is an amount.
    }
  }

  treeSoon(): void {
    if (this.dark || this.at !== null) return;
    if (this.#treeTimer !== null) {
      this.#treeAgain = true;
      return;
    }
    this.#treeTimer = setTimeout(() => {
      void this.readTree().finally(() => {
        this.#treeTimer = null;
        if (this.#treeAgain && !document.hidden) {
          this.#treeAgain = false;
          this.treeSoon();
        }
      });
    }, this.crowd ? CROWD_MS : TREE_MS);
  }

  async readTree(): Promise<void> {
    if (this.outside || this.passwordFirst) return;
    if (this.session && !this.session.seesPlaces) {
      this.dark = 'its places are not shown to visitors';
      return;
    }
    const as = this.as;
    try {
      const isMany = (this.world?.beings ?? 0) > TREE_MOST;
      const tree = await api.tree(as, isMany ? TREE_MOST : undefined);
      // Whoever went to another page meanwhile may see with other eyes there.
      if (as !== this.as) return;
      this.#seeWorn(all(tree).flatMap((space) => space.beings.flatMap((being) => being.wearing.slice(0, 1))));
      this.tree = tree;
      this.dark = null;
      if (isMany) await this.#readCrowd();
      else this.crowd = null;
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return;
      if (!this.tree) this.dark = error instanceof Error ? error.message : String(error);
    }
  }

  async readWorlds(): Promise<void> {
    this.worlds = await api.worlds().catch(() => this.worlds);
  }

  async readWorld(): Promise<void> {
    try {
      const session = await api.session();
      if (this.#hasLeft(session)) return;
      if (session.passwordFirst !== this.passwordFirst) return this.#anew();
      if (session.passwordFirst) return;
      const [clocks, at] = [this.#clocks, this.at];
      const world = await api.world();
      hues.own(world.hues ?? {});
      const isAnother = this.session !== null && session.being !== null && this.session.being !== session.being;
      // Another world under the same address, or another person in this browser: nothing at hand is true of it, or for their eyes.
      if ((this.world && this.world.world !== world.world) || (isAnother && !this.visitor)) return this.#anew();
      this.world = world;
      const numbers = numbersOf(world);
      // Somebody may have gone to another time since it was asked.
      if (at === null && this.at === null) this.numbers = numbers && newerOf(this.numbers, numbers);
      // The stream may have told a newer clock meanwhile.
      if (this.#clocks === clocks) this.clock = { ...world.clock };
      this.session = session;
      if (isAnother) await this.begin();
    } catch {
      // The banner says it already.
    }
  }

  /** Somebody has gone by themselves: what was shown was for their eyes. */
  leave(): void {
    this.forget();
    location.hash = '#/login';
    this.#anew();
  }

  /** Says no more that a session has ended. */
  forget(): void {
    this.ended = null;
    lastIn.write(null);
    endedHere.write(null);
  }

  /** Notes who is in; where nobody is any more, whose session has ended. */
  #remember(): void {
    this.ended = this.visitor ? (endedHere.read() ?? lastIn.read()) : null;
    if (this.visitor) return;
    lastIn.write(this.session?.being ?? null);
    endedHere.write(null);
  }

  /** Asks whether one is still in: the stream does not say why it ended, nor a refusal why it came. */
  #look(): void {
    void api.session().then((session) => this.#hasLeft(session), () => undefined);
  }

  /** Whether the session has ended, or visitors see the world now or see nothing of it any more: then all is read anew, at the same address. */
  #hasLeft(session: Session): boolean {
    const hasEnded = session.visitor && !this.visitor;
    if (hasEnded) endedHere.write(this.session?.being ?? null);
    // Before one knows who one was, nobody has left.
    else if (!this.session || !session.visitor || (session.sees === this.session.sees && session.seesPlaces === this.session.seesPlaces)) return false;
    this.#anew();
    return true;
  }

  /** Reads the whole page anew. Drafts are still there when the same person comes in again. */
  #anew(): void {
    drafts.asks = false;
    this.#live?.close();
    // What was driven from here was driven by whoever sat here before.
    removeEventListener('pagehide', this.#leaving);
    location.reload();
  }

  async readSession(): Promise<void> {
    const [before, wasBarred] = [this.session?.being, this.passwordFirst];
    this.session = await api.session();
    this.#remember();
    // Somebody else's eyes, or eyes that see only now: everything is read anew.
    if (before !== this.session.being || wasBarred) return this.begin();
    void this.readTree();
    void this.readWorld();
  }

  note(tone: Note['tone'], text: string, href?: string, isAway = false, change?: Change): void {
    const id = ++this.#noteId;
    const undo = change ? { undo: () => this.#undo(id, change) } : {};
    const note: Note = { id, tone, text, isAway, ...(href ? { href } : {}), ...undo };
    // That nobody answers is said once.
    const others = isAway ? this.notes.filter((other) => !other.isAway) : this.notes;
    this.notes = [...others.slice(1 - NOTES_MAX), note];
    this.#fade(note);
  }

  #isReading = false;
  #fade(note: Note): void {
    setTimeout(() => { if (!this.#isReading) this.unnote(note.id); }, note.undo ? UNDO_MS : NOTE_MS[note.tone]);
  }
  /** While somebody points at the notes none goes away. */
  reading(isReading: boolean): void {
    if (this.#isReading && !isReading) for (const note of this.notes) this.#fade(note);
    this.#isReading = isReading;
  }

  unnote(id: number): void {
    this.notes = this.notes.filter((note) => note.id !== id);
    if (this.notes.length === 0) this.#isReading = false;
  }

  fail(error: unknown): void {
    if (error instanceof InThePast) {
      this.note('refused', error.message);
      return;
    }
    // The banner says that one drives it no more.
    if (error instanceof ApiError && error.code === 'not-yours' && error.place === at(this.lostDrive?.name)) return;
    if (error instanceof ApiError && isRefusal(error)) {
      this.note('refused', `Refused: ${error.message} · ${error.code}`);
      return;
    }
    this.note('failed', error instanceof Error ? error.message : String(error), undefined, error instanceof ApiError && error.status === 0);
  }

  /** Takes a change back, unless somebody has changed the same thing since. */
  async #undo(id: number, change: Change): Promise<void> {
    this.unnote(id);
    try {
      const { value, base } = await change.read();
      if (!same(value, change.after)) this.note('refused', `${change.what} has changed since then. Nothing is undone.`);
      else if (await this.act(() => change.write(change.before, base), `${change.what} is as it was before`, undone(change))) {
        this.returns += 1;
        this.undone += 1;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Carries out an act and says what came of it, and offers to undo a change; the report, or null if there is none. */
  async act<T extends Report>(what: () => Promise<T>, done?: string, change?: Change): Promise<T | null> {
    try {
      const report = await what();
      const more = (report.hints ?? []).map((hint) => `; ${hint}`).join('');
      if (isRefused(report)) {
        this.note('refused', `Refused: ${this.whyNot(report.reason)}${more} · ${report.reason?.code ?? ''}`, `#/moment/${report.seq}`);
      } else if (isFailed(report)) {
        this.note('failed', `Failed: ${why(report.reason)}`, `#/moment/${report.seq}`);
      } else if (done) this.note('fine', done + more, `#/moment/${report.seq}`, false, change);
      // Whoever presses an arrow twice steps from where the first one led.
      if (isDone(report)) this.#walk([report]);
      this.treeSoon();
      return report;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  // ---- the past
  /** The moments of now, while others are shown. */
  #present: Report[] = [];
  /** The journey under way, and how many were asked for: who drags the bar passes over what lies between. */
  #journey: Promise<unknown> = Promise.resolve();
  #journeys = 0;
  /** How many journeys have not ended. */
  #underWay = 0;

  #stand(at: number | null): void {
    past.at = at;
    this.at = at;
    drafts.isPast = at !== null;
    document.documentElement.toggleAttribute('data-past', at !== null);
  }

  /** Whether the page goes to another point as soon as the server answers. */
  get isTravelling(): boolean {
    return this.#underWay > 0;
  }

  /** Goes to a point of the past, and the whole page with it; null: to now. What is wrong with it, if there is no such point. */
  async travel(to: number | string | null): Promise<string | null> {
    const point = to === null || String(to).trim() === 'now' ? null : String(to).trim();
    const mine = ++this.#journeys;
    const journey = this.#journey.then(() => (mine === this.#journeys ? this.#go(point).then(() => null, troubleText) : null));
    this.#journey = journey;
    this.#underWay += 1;
    return journey.finally(() => { this.#underWay -= 1; });
  }

  async #go(point: string | null): Promise<void> {
    if (point === null && this.at === null) return;
    const world = point === null ? null : await api.worldAt(point);
    if (world && world.seq === undefined) throw new Error('You may not look at the past of this world.');
    // Between two points nothing may have happened.
    if (world && this.at !== null && world.seq === this.at) return;
    if (this.at === null) {
      this.#live?.sleep();
      this.#present = this.moments;
    }
    this.#stand(world?.seq ?? null);
    const address = new URL(location.href);
    if (this.at === null) address.searchParams.delete('at');
    else address.searchParams.set('at', String(this.at));
    history.replaceState(null, '', address);
    this.bubbles = [];
    this.farewells = [];
    this.flock = [];
    if (world) {
      this.world = world;
      this.numbers = numbersOf(world);
      this.moments = (await api.moments({}, null, 100)).moments;
    } else {
      this.moments = this.#present;
      this.numbers = null;
      await this.readWorld();
      this.#live?.wake();
    }
    this.returns += 1;
    await this.readTree();
  }

  /** Goes where the address of the page says. */
  async travelByAddress(): Promise<void> {
    const at = new URL(location.href).searchParams.get('at');
    if (at === (this.at === null ? null : String(this.at))) return;
    const problem = await this.travel(at);
    if (problem) this.note('failed', problem);
  }

  /** One moment back or forth: of a being, or of the world. */
  async step(isForward: boolean, being: string | null): Promise<string | null> {
    if (this.at === null && isForward) return null;
    const newest = this.#present[0]?.seq ?? Infinity;
    if (being === null) {
      const to = this.at === null ? (this.moments[0]?.seq ?? null) : Math.max(1, this.at + (isForward ? 1 : -1));
      return this.travel(to !== null && to > newest ? null : to);
    }
    const [last] = (await api.moments({ being }, null, 1)).moments;
    if (!isForward) return last ? this.travel(last.seq) : `@${being} has no earlier moment.`;
    const n = last ? ((await api.moment(last.seq)).n ?? 0) + 1 : 0;
    // Behind its newest moment there is only now.
    return (await this.travel(`@${being}/${n}+`)) === null ? null : this.travel(null);
  }

  // ---- driving

  #beat: Worker | null = null;
  /** By what the server tells this tab from others of oneself. */
  #tab = newKey();
  /** The page goes away; the same tab may load it anew, and drive on. */
  #leaving = (): void => {
    if (!this.driving) return;
    seatLeft.write({ world: this.world?.world ?? '', driver: this.session?.being ?? '', being: this.driving, tab: this.#tab });
    api.leaveInPassing(at(this.driving), this.#tab);
  };
  /** The page comes back as it was. */
  #back = (event: PageTransitionEvent): void => {
    if (!event.persisted) return;
    seatLeft.write(null);
    void this.#heartbeat();
  };

  /** Drives on what this tab drove before its page was loaded anew, if its lease still holds: nothing is taken anew. */
  async #resume(): Promise<void> {
    const left = seatLeft.read();
    seatLeft.write(null);
    if (!left || this.driving || left.world !== this.world?.world || left.driver !== this.session?.being) return;
    this.#tab = left.tab;
    this.#sit(left.being, 0);
    await this.#heartbeat();
  }

  #sit(name: string, otherTabs: number): void {
    this.driving = name;
    this.otherTabs = otherTabs;
    addEventListener('pagehide', this.#leaving);
    addEventListener('pageshow', this.#back);
    this.#beat = new Worker(new URL('./beat.worker.ts', import.meta.url), { type: 'module' });
    this.#beat.onmessage = () => void this.#heartbeat();
  }

  /** Who drives a being now, as far as one sees it. */
  driverOf(name: string): string | null {
    return whereIs(this.tree, name)?.beings.find((being) => being.name === name)?.inhabitedBy ?? null;
  }

  /** Why something was refused; of a being that somebody drives, by whom. */
  whyNot(reason: Reason | null | undefined): string {
    const driver = reason?.code === 'driven' ? this.driverOf(bare(reason.at)) : null;
    return driver ? `${at(driver)} drives ${reason?.at} now` : why(reason);
  }

  async drive(name: string): Promise<Report | null> {
    if (this.driving === name) return null;
    if (this.driving) await this.release();
    this.lostDrive = null;
    const seat = await this.act(() => api.inhabit(at(name), this.#tab));
    if (!seat || !isDone(seat)) return seat;
    this.#sit(name, seat.tabs);
    await this.readSession().catch(() => undefined);
    return seat;
  }

  async #heartbeat(): Promise<void> {
    const name = this.driving;
    if (!name) return;
    try {
      const { tabs } = await api.heartbeat(at(name), this.#tab);
      if (this.driving === name) this.otherTabs = tabs;
    } catch (error) {
      if (error instanceof ApiError && [401, 403, 404, 409].includes(error.status)) this.#lose(name);
    }
  }

  /** Somebody else gave it back or took it, or the lease has run out. */
  #lose(name: string): void {
    if (this.driving !== name) return;
    this.#letGo();
    this.lostDrive = { name, by: null };
    const hear = (by: unknown): void => { if (this.lostDrive?.name === name && typeof by === 'string') this.lostDrive = { name, by: bare(by) }; };
    void api.being(name, this.as).then((page) => hear(page.being['inhabitedBy']), () => undefined);
  }

  #letGo(): void {
    this.#beat?.terminate();
    this.#beat = null;
    removeEventListener('pagehide', this.#leaving);
    removeEventListener('pageshow', this.#back);
    this.driving = null;
    this.otherTabs = 0;
    void this.readTree();
  }

  /** Stops driving from this tab; another tab of oneself goes on. */
  async release(): Promise<void> {
    const name = this.driving;
    if (!name) return;
    this.#letGo();
    try {
      const seat = await api.release(at(name), this.#tab);
      if ('closing' in seat) await this.act(() => Promise.resolve(seat), `You gave ${at(name)} back`);
      else this.note('fine', `Your other tab goes on as ${at(name)}`);
    } catch (error) {
      this.fail(error);
    }
    await this.readSession().catch(() => undefined);
  }
}

export const app = new App();
