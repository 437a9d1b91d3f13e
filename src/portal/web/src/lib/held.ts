// A list of moments that somebody holds still: what comes meanwhile is counted, and only the newest of it is kept.
import type { Report } from './wire.ts';

/** How many of those that came are kept; were there more, the list is read anew. */
const KEPT_MAX = 200;

/** What has come: how much in all, and the newest of it first. */
export interface Newer { count: number; kept: Report[] }
export const nothing: Newer = { count: 0, kept: [] };

/** The same with more that has come, the newest first. */
export const joined = (newer: Newer, come: Report[]): Newer => ({ count: newer.count + come.length, kept: [...come, ...newer.kept].slice(0, KEPT_MAX) });

/** The list with what has come; null where some of it is not at hand any more. */
export const released = (list: Report[], newer: Newer): Report[] | null => (newer.count > newer.kept.length ? null : [...newer.kept, ...list]);
