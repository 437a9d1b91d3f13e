// A face: who somebody is, drawn from the name alone. The shape of the head says who thinks, the ring which role is worn, a badge the mood.

/** Who thinks, as the shape of a head: a person's is round, a model's a hexagon, a panel's a kite, a script's square. */
export type Head = 'round' | 'square' | 'hexagon' | 'kite';

/** What a source may choose of a face, in `quality.look`. */
export interface Chosen { hue?: number; hair?: number; eyes?: number; mouth?: number; glasses?: boolean }

/** The parts of a face. */
export interface Features { hue: number; eyes: number; hair: number; mouth: number; hairHue: number; hasGlasses: boolean }

/** A number of 32 bits from a text: FNV-1a over its code points, then two rounds that mix high bits into low ones. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

/** The hue that a name has by itself, in degrees: one of twelve. */
export const nameHue = (name: string): number => (hashOf(name) % 12) * 30;

const HEADS: Record<Head, string> = {
  round: 'M6 20.5a14 14 0 1 1 28 0 14 14 0 1 1-28 0z',
  square: 'M13.5 6.5h13c5 0 7.5 2.5 7.5 7.5v13c0 5-2.5 7.5-7.5 7.5h-13c-5 0-7.5-2.5-7.5-7.5v-13c0-5 2.5-7.5 7.5-7.5z',
  hexagon: 'M18 6.6q2-1.1 4 0l9.5 5.5q2 1.2 2 3.5v9.8q0 2.3-2 3.5L22 34.4q-2 1.1-4 0l-9.5-5.5q-2-1.2-2-3.5v-9.8q0-2.3 2-3.5z',
  kite: 'M20 6.5l13.5 7v14L20 34.5l-13.5-7v-14z',
};
/** Hair, drawn over the whole head and cut off by it. */
const HAIRS = [
  '',
  'M3 3h34v13c-2-4-5-5-9-4.5-8 1-16-2-20 1-2 1.5-3 3-5 5z',
  'M3 3h34v11c-7 0-12-2-15-6-3 5-10 8-19 8z',
  'M3 3h34v10.5c-5-2.5-11-3.5-17-3.5S8 11 3 13.5z',
  'M3 3h34v15c-2 0-3-2-3.5-5-3 1.5-5 .5-7-1.5-2 2-5 2.5-7.5.5-2.5 2-5 2-7 .5-1 3-2.5 5-4.5 6.5z',
  'M3 3h34v31h-5V16c-8-2.5-16-2.5-24 0v18H3z',
  'M15 2h10.5L23 14.5h-6z',
  'M3 3h34v15c-6-.5-10-3-12.5-7.5C20 15 11 18 3 18.5z',
];
const EYES = [
  'M14.5 20.6v1.8M25.5 20.6v1.8',
  'M14.5 19.8v3.2M25.5 19.8v3.2',
  'M12.7 21.5h3.6M23.7 21.5h3.6',
  'M12.8 22.2q1.7-2.6 3.4 0M23.8 22.2q1.7-2.6 3.4 0',
  'M12.6 18.4l3.6.7M27.4 18.4l-3.6.7M14.7 21.6v1M25.3 21.6v1',
];
const CLOSED = 'M12.6 21.4q1.8 1.6 3.6 0M23.8 21.4q1.8 1.6 3.6 0';
const MOUTHS = ['M16.6 27.8h6.8', 'M15.8 27q4.2 3.4 8.4 0', 'M17.8 27.6q2.2 1.6 4.4 0', 'M16.5 28.4q3.5-.2 7-1.8', 'M18.5 27.8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0'];

const within = (value: unknown, count: number): number | null => (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count ? value : null);

/** The features that a name has, with what its source chose. */
export function featuresOf(name: string, chosen: Chosen = {}): Features {
  const hash = hashOf(name);
  const hue = typeof chosen.hue === 'number' && Number.isFinite(chosen.hue) ? ((chosen.hue % 360) + 360) % 360 : (hash % 24) * 15;
  return {
    hue,
    eyes: within(chosen.eyes, EYES.length) ?? (hash >>> 9) % EYES.length,
    hair: within(chosen.hair, HAIRS.length) ?? (hash >>> 13) % HAIRS.length,
    mouth: within(chosen.mouth, MOUTHS.length) ?? (hash >>> 17) % MOUTHS.length,
    hairHue: (hue + 40 + ((hash >>> 21) % 5) * 55) % 360,
    hasGlasses: chosen.glasses === true,
  };
}

/** The shape of a head, by its cognition and whether a person drives it. */
export function headOf(cognition: string | null | undefined, isDriven = false): Head {
  if (isDriven || cognition === 'human') return 'round';
  if (cognition === 'llm') return 'hexagon';
  return cognition === 'panel' || cognition === 'bridge' ? 'kite' : 'square';
}

/** What a source chose of a face, from a being's qualities. */
export function chosenOf(qualities: unknown): Chosen {
  const look = typeof qualities === 'object' && qualities !== null ? (qualities as Record<string, unknown>)['look'] : undefined;
  return typeof look === 'object' && look !== null ? (look as Chosen) : {};
}

/** The id under which a head is kept as something to cut by; `Signs.svelte` draws them once for the whole page. */
export const clipOf = (head: Head): string => `head-${head}`;
export const heads = (): [string, string][] => (Object.keys(HEADS) as Head[]).map((head) => [clipOf(head), HEADS[head]]);

/** The head with hair, eyes and mouth, in a box of 40 by 40, without ring and badge. Nothing in it is anybody's text. */
export function headSvg(name: string, head: Head, chosen: Chosen = {}, isAsleep = false): string {
  const { hue, eyes, hair, mouth, hairHue, hasGlasses } = featuresOf(name, chosen);
  const glasses = hasGlasses ? '<g stroke-width="1.2"><circle cx="14.5" cy="21.3" r="4.1"/><circle cx="25.5" cy="21.3" r="4.1"/><path d="M18.6 20.8h2.8"/></g>' : '';
  return `<g clip-path="url(#${clipOf(head)})"><path d="${HEADS[head]}" fill="oklch(var(--face-l) var(--face-c) ${hue})"/><path d="${HAIRS[hair] ?? ''}" fill="oklch(var(--hair-l) 0.06 ${hairHue})"/></g>`
    + `<g fill="none" stroke="var(--feature)" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"><path class="eyes" d="${isAsleep ? CLOSED : (EYES[eyes] ?? '')}"/><path d="${MOUTHS[mouth] ?? ''}" stroke-width="1.8"/>${glasses}</g>`;
}

/** Moods that have a sign of their own, the most pressing first; another shows its first letter. */
const MOODS: Record<string, string> = {
  urgent: 'M0-4.2v5M0 4h.01', angry: 'M-4-3l2.5 1.5M4-3l-2.5 1.5M-3 3.5q3-2.5 6 0', afraid: 'M-2.5-2.5v.01M2.5-2.5v.01M-3 3q1-1.5 2 0t2 0 2 0',
  tired: 'M-3.5-3.5h4l-4 4.5h4M1.5 1h3l-3 3.5h3', sad: 'M-2.5-2v.01M2.5-2v.01M-3 3.5q3-3 6 0', bored: 'M-3.5-1.5h2M1.5-1.5h2M-2.5 3h5',
  playful: 'M-2.5-2.5v.01M2.5-2.5v.01M-3.5 1q3.5 4.5 7 0', happy: 'M-2.5-2v.01M2.5-2v.01M-3 1.5q3 3 6 0', curious: 'M-2-2.2q.3-2.2 2.2-2.2 2 0 2 2 0 1.5-2.2 2.5v.8M0 4h.01',
};
export const isPressing = (mood: string): boolean => ['urgent', 'angry', 'afraid'].includes(mood);

/** `emotions:bored` as `bored`. */
export const shortRole = (role: string): string => role.slice(role.lastIndexOf(':') + 1);

/** Modifiers that say that nothing in particular is felt. */
const NEUTRAL = new Set(['open', 'calm', 'neutral', 'normal', 'default', 'content']);

/** The mood that is shown of the modifiers that are worn: the most pressing. */
export function moodOf(modifiers: string[]): string | null {
  const moods = modifiers.map(shortRole).filter((mood) => !NEUTRAL.has(mood));
  return Object.keys(MOODS).find((mood) => moods.includes(mood)) ?? moods[0] ?? null;
}

/** The path of a mood's sign around its middle; none where its letter is shown. */
export const moodPath = (mood: string): string | null => MOODS[mood] ?? null;

/** Whether a role is worn by whoever does nothing now: its ring is dashed. */
export const isOff = (role: string): boolean => /(^|[-_ ])(off([-_ ]?duty)?|asleep|sleep(s|er|ing)?|resting|away|idle|absent)$/.test(shortRole(role));

/** The mark of a claim: two links of a chain, around nought. */
export const CLAIM_MARK = 'M-0.8 -1.8l1.4 -1.4a2.4 2.4 0 0 1 3.4 3.4l-1.4 1.4M0.8 1.8l-1.4 1.4a2.4 2.4 0 0 1 -3.4 -3.4l1.4 -1.4M-1.6 1.6l3.2 -3.2';
