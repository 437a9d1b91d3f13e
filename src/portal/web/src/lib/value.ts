// Values as one writes them in a sentence: `court`, `9`, `true`, `"9"` for the text 9, and any JSON where nothing simpler will do.
import { readJson, written } from './exact.ts';
import type { Json } from './wire.ts';

/** Whether a text, read as a value, would be something else than this very text. */
function needsQuotes(text: string): boolean {
  if (text !== text.trim() || text === '') return true;
  if (/^["[{]/.test(text)) return true;
  return isBare(text);
}

function isBare(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** A value as text. */
export function toText(value: Json): string {
  if (typeof value === 'string') return needsQuotes(value) ? written(value) : value;
  return written(value);
}

/** The value that a text means; text that is no JSON is text. */
export function fromText(text: string): Json {
  const trimmed = text.trim();
  if (isBare(trimmed) || /^["[{]/.test(trimmed)) {
    try {
      return readJson(trimmed) as Json;
    } catch {
      return text;
    }
  }
  return trimmed;
}

const isScalar = (value: Json): boolean => value === null || typeof value !== 'object';

/** A list as text: `court, library`; lists of anything but scalars as JSON. */
export function listToText(list: Json[]): string {
  if (!list.every(isScalar)) return written(list);
  return list.map((item) => (typeof item === 'string' && /[,"]/.test(item) ? written(item) : toText(item))).join(', ');
}

/** The list that a text means. */
export function listFromText(text: string): Json[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (trimmed.startsWith('[')) {
    try {
      const list = readJson(trimmed) as Json;
      if (Array.isArray(list)) return list;
    } catch {
      // Read on as words.
    }
  }
  const items = trimmed.match(/\s*("(?:[^"\\]|\\.)*"|[^,]*)\s*(,|$)/g) ?? [];
  return items.map((item) => item.replace(/,$/, '').trim()).filter((item, index) => item !== '' || index < items.length - 1).map(fromText);
}

/** Whether two JSON values are the same; the order of keys does not count. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

export const isMap = (value: unknown): value is { [key: string]: Json } => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A value in a line, for people: text plain, the rest as JSON, `nothing` for null. */
export function plain(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'string' ? value : written(value);
}

/** A number that is at least nought, as somebody types it: `1000`, `1,000` or `0.15`; null for anything else. */
export function numberFrom(text: string | undefined): number | null {
  const typed = (text ?? '').trim().replace(/,(?=\d{3}(\D|$))/g, '');
  return /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : null;
}

/** So many paths one can choose from. */
const PATHS_MAX = 200;

/** The paths to all that a value holds, as an address goes on with them; what a dot would part is left to what holds it. */
export function pathsIn(value: Json, before = ''): string[] {
  if (!isMap(value)) return [];
  const found = Object.entries(value).flatMap(([key, each]) => (/^[^.\s/@]+$/.test(key) ? [before + key, ...pathsIn(each, `${before}${key}.`)] : []));
  return found.slice(0, PATHS_MAX);
}
