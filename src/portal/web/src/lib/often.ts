// How often each deed was done lately: in that order one is told which deeds one may do.
import { isDone } from './moment.ts';
import type { Report } from './wire.ts';

/** A deed on the very thing counts as much as so many elsewhere. */
const HERE = 100;

/** The deeds of some moments that were done to a thing or to things like it, with how often: beings are alike, and so are things in one place. */
export function oftenDone(moments: Report[], target: string): Map<string, number> {
  const often = new Map<string, number>();
  for (const moment of moments) {
    const { action, target: done } = moment;
    if (!action || !done || !isDone(moment) || likeness(done) !== likeness(target)) continue;
    often.set(action, (often.get(action) ?? 0) + (done === target ? HERE : 1));
  }
  return often;
}

/** The same for all beings, and for all things in one place. */
function likeness(address: string): string {
  return address.startsWith('@') && !address.includes('/') ? '@' : address.slice(0, address.lastIndexOf('/'));
}
