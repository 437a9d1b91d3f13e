// The zone of the world: how far its clock lies before UTC at an instant. Summer has another offset than winter.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** No zone changes its offset twice within so long. */
const APART = 3 * HOUR;
/** No zone changes its offset within a part of so long, and so many parts are remembered. */
const PART = 15 * MINUTE;
const PARTS_MAX = 10_000;

let format: Intl.DateTimeFormat | null = null;
let name: string | null = null;
let found = new Map<number, number>();

/** Learns which zone it is; of one that a browser does not know, an instant that is told has the offset. */
export function zoneIs(zone: string | null): void {
  if (zone === name) return;
  [name, format, found] = [zone, null, new Map()];
  try {
    if (zone) format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // Then offsets are those of the instants that the server tells.
  }
}

/** The offset that stands at the end of an instant or of a zone's name, in milliseconds. */
export function offsetOf(iso: string | undefined): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d\d):?(\d\d)(?::(\d\d))?$/.exec(iso ?? '') ?? [];
  return sign === undefined ? 0 : (Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1000) * (sign === '-' ? -1 : 1);
}

/** The offset at an instant; `like` is an instant of the world whose own offset holds where the zone is not known. */
export function offsetAt(ms: number, like: string | undefined): number {
  if (!format || !Number.isFinite(ms)) return offsetOf(like);
  const part = Math.floor(ms / PART);
  const before = found.get(part);
  if (before !== undefined) return before;
  if (found.size >= PARTS_MAX) found.clear();
  const offset = offsetOf(format.formatToParts(part * PART).find(({ type }) => type === 'timeZoneName')?.value);
  found.set(part, offset);
  return offset;
}

/** The instants at which a clock shows a time: of an hour that comes twice two, of one that is left out none. */
export function instantsOf(local: number, offset: (ms: number) => number): number[] {
  const near = local - offset(local);
  return [...new Set([offset(near - APART), offset(near + APART)])].map((each) => local - each).filter((at) => at + offset(at) === local).toSorted((a, b) => a - b);
}

/** An instant as the world writes it, at its own offset. */
export function instantAt(ms: number, like: string): string {
  const offset = offsetAt(ms, like);
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(offset);
  const zone = offset === 0 && like.endsWith('Z') ? 'Z' : `${offset < 0 ? '-' : '+'}${two(size / HOUR)}:${two((size % HOUR) / MINUTE)}`;
  return new Date(ms + offset).toISOString().replace('.000', '').replace('Z', zone);
}
