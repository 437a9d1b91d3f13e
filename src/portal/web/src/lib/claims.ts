// Claims: who is at what, in a sentence.
import { instantIn } from './health.ts';
import { titled } from './map/caption.ts';
import { isMap } from './value.ts';
import type { Claimed, Json } from './wire.ts';
import { bare, timeOf } from './words.ts';

/** The end of a claim as a clock on the wall shows it. */
const endOf = ({ until }: Claimed, now: string | undefined): string => instantIn(until, now).replace(/:00$/, '');

/** Whether a claim lives at an instant: no frame says that its time has run out. */
export const isLive = ({ until }: Claimed, now: string | undefined): boolean => !(Date.parse(until) <= Date.parse(now ?? ''));

/** Who has a thing, until when and for what: `Ada has it until 10:20: repairing the press`. */
export function claimText(claim: Claimed, thing: string, now: string | undefined): string {
  const { by, on, why } = claim;
  return `${titled(bare(by))} has ${on === thing ? 'it' : on} until ${endOf(claim, now)}${why ? `: ${why}` : ''}`;
}

/** What a being is at: `at /hall/press until 10:20`. */
export const atText = (claims: Claimed[], now: string | undefined): string => claims.map((claim) => `at ${claim.on} until ${endOf(claim, now)}`).join(', ');

/** The claim that a look at a thing tells, in the zone of an instant; null where there is none. */
export function claimOf(value: Json | undefined, now: string | undefined): Claimed | null {
  if (!isMap(value)) return null;
  const text = (key: string): string => (typeof value[key] === 'string' ? value[key] : '');
  const instant = (key: string): string => (typeof value[key] === 'number' ? timeOf(value[key], now) : '');
  return { on: text('on'), by: text('by'), since: instant('since'), until: instant('until'), why: text('why') };
}
