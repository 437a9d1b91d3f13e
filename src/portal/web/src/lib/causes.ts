// The graph of causes: which moments are drawn, where each stands, and how one walks along its arrows.
import { plainText } from './sentence.ts';
import type { Causes, Link } from './wire.ts';
import { dayOf, hourOf } from './words.ts';

/** One moment as it stands in the drawing: a column for each wake, the first cause leftmost. */
export interface Spot { link: Link; column: number; row: number; from: number | null }
/** What is drawn, and how many known moments are not. */
export interface Graph { spots: Spot[]; columns: number; rows: number; hidden: number }

/** Both chains as one graph, at most so many moments of each, the nearest causes and the oldest effects. */
export function graphOf({ moment, causes, effects }: Causes, most: number): Graph {
  // An effect comes after what woke it, so whichever come first hang together.
  const [behind, ahead] = [causes.slice(0, most), effects.slice(0, most)];
  const links = [...behind.toReversed(), moment, ...ahead];
  const depth = (link: Link, index: number): number => behind.length + (index <= behind.length ? index - behind.length : link.depth);
  const spots: Spot[] = links.map((link, index) => ({ link, column: depth(link, index), row: 0, from: index === 0 ? null : index <= behind.length ? (links[index - 1]?.seq ?? null) : (link.cause ?? null) }));
  return { spots, columns: Math.max(...spots.map(({ column }) => column)) + 1, rows: inRows(spots), hidden: causes.length + effects.length - behind.length - ahead.length };
}

/** Gives each moment a row: that of the first that it woke, so the way there is straight; each further one begins below all before. */
function inRows(spots: Spot[]): number {
  const children = new Map<number | null, Spot[]>();
  for (const spot of spots) children.set(spot.from, [...(children.get(spot.from) ?? []), spot]);
  let rows = 0;
  // What is still to be given a row, the next one last; one that is the first its cause woke takes the row of that.
  const waiting = (children.get(null) ?? []).map((spot) => ({ spot, row: -1 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    next.spot.row = next.row >= 0 ? next.row : rows;
    rows = Math.max(rows, next.spot.row + 1);
    const [first, ...others] = children.get(next.spot.link.seq) ?? [];
    waiting.push(...others.toReversed().map((spot) => ({ spot, row: -1 })));
    if (first) waiting.push({ spot: first, row: next.spot.row });
  }
  return rows;
}

/** Where an arrow key leads: left to the cause, right to the first that was woken, up and down within the column. */
export function walked(graph: Graph, seq: number, key: string): number {
  const here = graph.spots.find((spot) => spot.link.seq === seq);
  if (!here) return seq;
  const column = graph.spots.filter((spot) => spot.column === here.column).sort((a, b) => a.row - b.row);
  const found = {
    ArrowLeft: graph.spots.find((spot) => spot.link.seq === here.from),
    ArrowRight: graph.spots.find((spot) => spot.from === seq),
    ArrowUp: column[column.indexOf(here) - 1],
    ArrowDown: column[column.indexOf(here) + 1],
    Home: graph.spots[0],
    End: graph.spots.at(-1),
  }[key];
  return found?.link.seq ?? seq;
}

/** The chain with what lies behind its first link. */
export function further(known: Causes, behind: Causes): Causes {
  const from = known.causes.at(-1)?.depth ?? 0;
  return { ...known, causes: [...known.causes, ...behind.causes.map((link) => ({ ...link, depth: link.depth + from }))], moreCauses: behind.moreCauses };
}

const BEGINS: Record<string, string> = { person: 'a person', schedule: 'a schedule', time: 'a time that had come', genesis: 'the making of the world' };
/** With what a chain begins, in a word or two; nothing where something else is behind it. */
export const beginText = (link: Link): string => BEGINS[link.begins ?? ''] ?? '';

/** What was done, behind the name of whoever did it. */
export const deedText = (link: Link): string => plainText(link.told);

/** A moment of the graph in a sentence. */
export const linkText = (link: Link): string =>
  `${link.moment}, ${dayOf(link.time)} ${hourOf(link.time)}: ${deedText(link)}${beginText(link) ? `; begins with ${beginText(link)}` : ''}`;

/** As much of a text as there is room for. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
