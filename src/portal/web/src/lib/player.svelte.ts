// Plays the past: goes on, or back, from picture to picture, until it is stopped or comes to an end.
import { app } from './app.svelte.ts';
import { lens } from './lens.svelte.ts';
import { next, pauseOf, SPEEDS, type Played, type Speed } from './play.ts';

const wait = (ms: number): Promise<void> => new Promise((done) => { setTimeout(done, ms); });

class Player {
  /** Which way it goes; null: it stands. */
  way = $state<'on' | 'back' | null>(null);
  speed = $state.raw<Speed>(SPEEDS[1] as Speed);
  #plays = 0;

  stop(): void {
    this.#plays += 1;
    this.way = null;
  }

  /** Goes on or back; where it goes that way already it stops. What went wrong, if anything. */
  async play(way: 'on' | 'back'): Promise<string | null> {
    const wasThatWay = this.way === way;
    this.stop();
    // On from now there is nothing yet.
    if (wasThatWay || (way === 'on' && app.at === null)) return null;
    const mine = this.#plays;
    this.way = way;
    await lens.read();
    let at: Played = { seq: app.at ?? lens.end, ms: new Date(app.world?.time ?? '').getTime() };
    let then = performance.now() - pauseOf(this.speed);
    while (mine === this.#plays) {
      const now = performance.now();
      const { point, ms } = next(at, this.speed, way === 'on', Math.min(now - then, 4 * pauseOf(this.speed)));
      then = now;
      const problem = await app.travel(way === 'on' && /^\d+$/.test(point) && Number(point) >= lens.end ? null : point);
      if (mine !== this.#plays) return null;
      const seq = app.at ?? lens.end;
      const isOver = way === 'on' ? seq >= lens.end : seq <= 1;
      if (way === 'on' && isOver && app.at !== null) await app.travel(null);
      // Before the first frame there is no instant to stand at.
      if (problem !== null && way === 'back') await app.travel(1);
      if (isOver || problem !== null) {
        if (mine === this.#plays) this.stop();
        return way === 'back' ? null : problem;
      }
      at = { seq, ms };
      await wait(pauseOf(this.speed) - (performance.now() - now));
    }
    return null;
  }
}

export const player = new Player();
