// A crowd: those in a space in lists of numbers, so that ten thousand take little, and what pulses and moments change of it.
import type { Crowd, CrowdPlace, Pulse, Report } from './wire.ts';

/** Those of whom the crowd is told one by one; at the same index in each list. */
export class Many {
  readonly ids: Float64Array;
  readonly names: string[] = [];
  /** Of each its role, as its place in `roleNames`. */
  readonly roles: Uint16Array;
  /** Of each its place, as its index in `places`; `NOWHERE` for who has left the view. */
  readonly place: Uint16Array;
  /** Of each who thinks: 0 a script, 1 a model, 2 a person, 3 another. */
  readonly minds: Uint8Array;
  /** Of each where it stands on its place's grid; -1 where it stands on none. */
  readonly xy: Int32Array;
  readonly roleNames: string[];
  readonly places: Omit<CrowdPlace, 'beings'>[];
  readonly more: number;
  /** Whether more are there than the server looked at. */
  readonly stopped: boolean;
  /** Whether all are told one by one, not only counted. */
  readonly isNamed: boolean;
  #index = new Map<number, number>();
  #named = new Map<string, number>();
  #spaces = new Map<number, number>();
  #paths = new Map<string, number>();

  constructor(crowd: Crowd) {
    this.roleNames = [...crowd.roles];
    this.more = crowd.more;
    this.stopped = crowd.stopped;
    this.isNamed = crowd.places.every((place) => place.beings);
    const length = crowd.places.reduce((sum, place) => sum + (place.beings?.ids.length ?? 0), 0);
    this.ids = new Float64Array(length);
    this.roles = new Uint16Array(length);
    this.place = new Uint16Array(length);
    this.minds = new Uint8Array(length);
    this.xy = new Int32Array(2 * length).fill(-1);
    this.places = crowd.places.map(({ beings: _, ...place }) => ({ ...place }));
    for (const [at, { id, address, beings }] of crowd.places.entries()) {
      this.#spaces.set(id, at);
      this.#paths.set(address, at);
      if (!beings) continue;
      const from = this.names.length;
      this.ids.set(beings.ids, from);
      this.roles.set(beings.roles, from);
      this.minds.set(beings.minds, from);
      this.place.fill(at, from, from + beings.ids.length);
      if (beings.xy) this.xy.set(beings.xy, 2 * from);
      for (const [index, name] of beings.names.entries()) {
        this.#index.set(beings.ids[index] ?? -1, from + index);
        this.#named.set(name, from + index);
        this.names.push(name);
      }
    }
  }

  get length(): number {
    return this.names.length;
  }
  /** Where in the lists a being is, by its name. */
  find(name: string): number | undefined {
    return this.#named.get(name);
  }

  /** Takes up what pulses tell; whether anything is otherwise. */
  take(pulses: Pulse[]): boolean {
    let isOther = false;
    for (const { moved, worn } of pulses) {
      for (const [being, space, x, y] of moved) {
        const index = this.#index.get(being ?? -1);
        if (index === undefined) continue;
        this.#stand(index, this.#spaces.get(space ?? -1), x, y);
        isOther = true;
      }
      for (const [being, role] of worn as [number, string][]) {
        const index = this.#index.get(being);
        if (index !== undefined) isOther = this.#wear(index, role) || isOther;
      }
    }
    return isOther;
  }

  /** The same of whole moments. */
  walk(flock: Report[]): boolean {
    let isOther = false;
    for (const { being, space, coords, stack } of flock) {
      const index = this.#named.get(being);
      if (index === undefined) continue;
      const place = this.#paths.get(space);
      const [x, y] = [coords?.x ?? -1, coords?.y ?? -1];
      if (this.place[index] !== (place ?? NOWHERE) || this.xy[2 * index] !== x || this.xy[2 * index + 1] !== y) {
        this.#stand(index, place, x, y);
        isOther = true;
      }
      if (stack[0] !== undefined) isOther = this.#wear(index, stack[0]) || isOther;
    }
    return isOther;
  }

  #stand(index: number, place = NOWHERE, x = -1, y = -1): void {
    const [before, now] = [this.places[this.place[index] ?? NOWHERE], this.places[place]];
    if (before !== now) {
      if (before) before.count -= 1;
      if (now) now.count += 1;
      this.#shift(before, this.roles[index] ?? 0, -1);
      this.#shift(now, this.roles[index] ?? 0, 1);
    }
    this.place[index] = place;
    this.xy[2 * index] = x;
    this.xy[2 * index + 1] = y;
  }

  #wear(index: number, role: string): boolean {
    let number = this.roleNames.indexOf(role);
    if (number < 0) number = this.roleNames.push(role) - 1;
    const before = this.roles[index] ?? 0;
    if (before === number) return false;
    const place = this.places[this.place[index] ?? NOWHERE];
    this.#shift(place, before, -1);
    this.#shift(place, number, 1);
    this.roles[index] = number;
    return true;
  }

  #shift(place: Omit<CrowdPlace, 'beings'> | undefined, role: number, by: number): void {
    if (!place) return;
    const wears = place.wears.find(([one]) => one === role);
    if (wears) wears[1] = (wears[1] ?? 0) + by;
    else place.wears.push([role, by]);
  }
}

/** The place of who is in none of those that are told. */
export const NOWHERE = 65_535;
