// Foresight: the past moments that a draft would have changed, in a sentence that one reads before one publishes.
import { api } from './api.ts';
import type { JsonMap } from './wire.ts';
import { at, listed } from './words.ts';

/** How many moments back one looks for what a draft would change, and of how many beings. */
const LAST = 50;
const BEINGS_MAX = 8;

const moments = (count: number): string => (count === 1 ? 'one moment' : `${count} moments`);

/** What a flow would have changed, in a sentence. */
export async function foreseenOfFlow(being: string, flow: JsonMap[]): Promise<string> {
  const { moments: looked, differ } = await api.backtest({ being: at(being), flow, last: LAST });
  return looked.length === 0 ? '' : `In ${differ} of the last ${moments(looked.length)} ${at(being)} would have worn something else.`;
}

/** Who wears a role now, and what another version of it would have changed. */
export async function foreseenOfRole(name: string, role: JsonMap, users: string[], wearing: string[]): Promise<string> {
  const asked = users.slice(0, BEINGS_MAX);
  const tests = await Promise.all(asked.map((being) => api.backtest({ being: at(being), roles: { [name]: role }, last: LAST })));
  const [looked, differ] = tests.reduce(([all, other], test) => [all + test.moments.length, other + test.differ], [0, 0]);
  const now = wearing.length === 0 ? 'Nobody wears it now.' : `${listed(wearing.slice(0, 3).map(at))}${wearing.length > 3 ? ` and ${wearing.length - 3} more` : ''} ${wearing.length === 1 ? 'wears' : 'wear'} it now.`;
  const whose = users.length > asked.length ? ` of ${asked.length} of ${users.length} who may wear it` : ' of those who may wear it';
  return looked === 0 ? now : `${now} In ${differ} of the last ${moments(looked)}${whose} something else would have been worn.`;
}
