// What a browser keeps for a page from one load to the next: who was in, and which being a tab drives. A browser that keeps nothing does without.
import { baseOf } from './worlds.ts';

interface Kept<T> { read(): T | null; write(value: T | null): void }

/** Each world of an origin has a place of its own: they stand at different paths. */
function kept<T>(storage: () => Storage, what: string): Kept<T> {
  const key = (): string => `reelm-${what} ${baseOf(location.pathname)}`;
  return {
    read: () => {
      try {
        return JSON.parse(storage().getItem(key()) ?? 'null') as T | null;
      } catch {
        return null;
      }
    },
    write: (value) => {
      try {
        if (value === null) storage().removeItem(key());
        else storage().setItem(key(), JSON.stringify(value));
      } catch {
        // Then it is not known at the next load.
      }
    },
  };
}

/** Who came in last in this browser, and has not gone by themselves. */
export const lastIn = kept<string>(() => localStorage, 'in');
/** Whose session has ended while this tab was open. */
export const endedHere = kept<string>(() => sessionStorage, 'ended');

/** Whether somebody who came in by a link is reminded of a password: `open` from their first coming in on, `closed` once they want no more of it. */
export const reminder = kept<'open' | 'closed'>(() => localStorage, 'reminder');

/** A being that a tab drove when its page went away: in which world, who drove, and what the tab called itself. */
export interface SeatKept { world: string; driver: string; being: string; tab: string }
/** Written when a page goes away and taken at its next load, so that a tab that was duplicated drives nothing. */
export const seatLeft = kept<SeatKept>(() => sessionStorage, 'seat');
