// Signals as a list: each path with its value, and the paths that somebody reads although nothing has set them yet.
import type { Json, JsonMap } from './wire.ts';
import { isMap } from './value.ts';

function flat(map: JsonMap, prefix = ''): [string, Json][] {
  return Object.entries(map).flatMap(([key, value]): [string, Json][] => (isMap(value) && Object.keys(value).length > 0 ? flat(value, `${prefix}${key}.`) : [[prefix + key, value]]));
}

export function signalRows(signals: JsonMap, readers: Record<string, string[]>): [string, Json][] {
  const known = flat(signals);
  const read = Object.keys(readers).map((key) => key.replace(/^world\./, ''));
  const missing = read.filter((key) => !known.some(([path]) => path === key));
  return [...known, ...missing.map((key): [string, Json] => [key, null])].sort((a, b) => a[0].localeCompare(b[0]));
}
