// Two drafts of one thing, both built on the same version: the parts that each has changed, and one draft with the changes of both.
import { diffLists } from './diff.ts';
import { written } from './exact.ts';
import type { Json, JsonMap } from './wire.ts';
import { isMap, same } from './value.ts';

/** A part that somebody has changed; undefined: it is not there. `both` have made different things of it. */
export interface Part { path: string; whose: 'mine' | 'theirs' | 'both'; base: Json | undefined; mine: Json | undefined; theirs: Json | undefined }
/** `merged`: the changes of both; null where both have changed one part. */
export interface ThreeWay { parts: Part[]; merged: Json | null }

type Sides = [base: Json | undefined, mine: Json | undefined, theirs: Json | undefined];

export function threeWay(base: Json, mine: Json, theirs: Json): ThreeWay {
  const parts: Part[] = [];
  const merged = merge('', [base, mine, theirs], parts) ?? null;
  return { parts, merged: parts.some((part) => part.whose === 'both') ? null : merged };
}

/** What becomes of one part; each change is added to `parts`. */
function merge(path: string, [base, mine, theirs]: Sides, parts: Part[]): Json | undefined {
  if (same(mine, theirs)) return mine;
  if (isMap(base) && isMap(mine) && isMap(theirs)) return mergeMaps(path, base, mine, theirs, parts);
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return mergeLists(path, base, mine, theirs, parts);
  if (typeof base === 'string' && typeof mine === 'string' && typeof theirs === 'string' && base.includes('\n')) {
    return mergeLists(path, base.split('\n'), mine.split('\n'), theirs.split('\n'), parts, '\n').join('\n');
  }
  return decide(path, [base, mine, theirs], parts);
}

/** A part as a whole: whoever has changed it decides, and nobody where both have. */
function decide(path: string, [base, mine, theirs]: Sides, parts: Part[]): Json | undefined {
  if (same(mine, theirs)) return mine;
  const whose = same(base, theirs) ? 'mine' : same(base, mine) ? 'theirs' : 'both';
  parts.push({ path, whose, base, mine, theirs });
  return whose === 'theirs' ? theirs : mine;
}

function mergeMaps(path: string, base: JsonMap, mine: JsonMap, theirs: JsonMap, parts: Part[]): JsonMap {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)])];
  const entries = keys.map((key) => [key, merge(path ? `${path}.${key}` : key, [base[key], mine[key], theirs[key]], parts)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** For each item of a list its place in another, where it stands there too. */
function places(list: string[], other: string[]): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  let at = 0;
  for (const { sign } of diffLists(list, other)) {
    if (sign === '-') found.push(undefined);
    else if (sign === '+') at += 1;
    else found.push(at++);
  }
  return found;
}

/** Lists are one between the items that stand in all three; `joint` makes one value of a run of items. */
function mergeLists(path: string, base: Json[], mine: Json[], theirs: Json[], parts: Part[], joint?: string): Json[] {
  const [inBase, inMine, inTheirs] = [base, mine, theirs].map((list) => list.map((item) => written(item))) as [string[], string[], string[]];
  const [ofMine, ofTheirs] = [places(inBase, inMine), places(inBase, inTheirs)];
  const merged: Json[] = [];
  let [at, my, their] = [0, 0, 0];
  const value = (run: Json[]): Json | undefined => (run.length === 0 ? undefined : joint !== undefined ? run.join(joint) : run);
  while (at < base.length || my < mine.length || their < theirs.length) {
    let end = at;
    while (end < base.length && (ofMine[end] === undefined || ofTheirs[end] === undefined)) end += 1;
    const [myEnd, theirEnd] = [ofMine[end] ?? mine.length, ofTheirs[end] ?? theirs.length];
    const runs = [base.slice(at, end), mine.slice(my, myEnd), theirs.slice(their, theirEnd)] as const;
    const found: Part[] = [];
    decide(`${path}[${at}]`, [value(runs[0]), value(runs[1]), value(runs[2])], found);
    parts.push(...found);
    merged.push(...(found[0]?.whose === 'theirs' ? runs[2] : runs[1]));
    // The item that all three have.
    const common = base[end];
    if (common !== undefined) merged.push(common);
    [at, my, their] = [end + 1, myEnd + 1, theirEnd + 1];
  }
  return merged;
}
