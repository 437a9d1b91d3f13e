// JSON of which no digit is lost. A whole number beyond 2^53 is a `bigint`: it is shown and sent as it was written.
import type { Json } from './wire.ts';

/** A text without so many digits in a row holds no number that a browser would round. */
const LONG = /\d{16}/;
const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

/** A number as it is written: exact where it is whole. */
function numberIn(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** Reads a text that is known to be JSON, token by token. */
function reader(text: string): () => unknown {
  TOKEN.lastIndex = 0;
  const next = (): RegExpExecArray => TOKEN.exec(text) as RegExpExecArray;
  const list = (end: string, take: (first: RegExpExecArray) => void): void => {
    for (let token = next(); token[1] !== end; token = next()) if (token[1] !== ',') take(token);
  };
  const value = ([, sign, quoted, digits, word]: RegExpExecArray): unknown => {
    if (quoted !== undefined) return JSON.parse(quoted);
    if (digits !== undefined) return numberIn(digits);
    if (sign === undefined) return JSON.parse(word ?? 'null');
    const found: unknown[] = [];
    if (sign === '[') {
      list(']', (first) => found.push(value(first)));
      return found;
    }
    list('}', (key) => {
      next();
      found.push([JSON.parse(key[2] ?? '""'), value(next())]);
    });
    return Object.fromEntries(found as [string, unknown][]);
  };
  return () => value(next());
}

/** What a text says as JSON; it throws where the text is none. */
export function readJson(text: string): unknown {
  const read: unknown = JSON.parse(text);
  return LONG.test(text) ? reader(text)() : read;
}

/** A value as JSON. */
export function written(value: unknown, space?: number): string {
  let isExact = false;
  const text = JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'bigint') return each;
    isExact = true;
    return `\0${each}`;
  }, space);
  return isExact ? text.replace(/"\\u0000(-?\d+)"/g, '$1') : text;
}

/** What a text means as a number, with all of its digits; null where it is none. */
export function numberOf(text: string): Json | null {
  const trimmed = text.trim();
  const number = /^-?\d+$/.test(trimmed) ? numberIn(trimmed) : Number(trimmed);
  return trimmed === '' || (typeof number === 'number' && !Number.isFinite(number)) ? null : (number as Json);
}

/** A number that is reckoned with: one that is exact becomes the nearest. */
export const nearest = (value: unknown): number | null => (typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : null);
export const isNumber = (value: unknown): value is number => typeof value === 'number' || typeof value === 'bigint';
