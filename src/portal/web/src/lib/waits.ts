// The connections to models that do not answer, in words.
import type { ConnectionWait } from './wire.ts';

/** The hour of an instant, as people read it: `20:00`. */
const hour = (iso: string): string => iso.slice(11, 16);

/** The wait for one connection: `waits for small since 20:00`. */
export const waitText = ({ connection, since }: ConnectionWait): string => `waits for ${connection} since ${hour(since)}`;

/** The waits for all of them, as a sentence. */
export function waitsText(waits: ConnectionWait[]): string {
  const [first, ...rest] = waits;
  if (!first) return '';
  const others = rest.map(({ connection, since }) => `for ${connection} since ${hour(since)}`);
  return `The world ${[waitText(first), ...others].join(', ')}.`;
}

/** The wait of a being, by its address. */
export const waitOf = (waits: ConnectionWait[] | undefined, being: string): ConnectionWait | null => waits?.find(({ beings }) => beings.includes(being)) ?? null;
