// Foresight: the newest moments of those whom a draft concerns, lived once more, in sentences that one reads before one publishes.
import { api } from './api.ts';
import type { Foreseen, JsonMap } from './wire.ts';
import { at, count, listed } from './words.ts';

/** Something that is told of a draft; `seq` is the moment to which it leads. */
export interface Foresight { text: string; seq: number | null }

/** The span in words: all of a day, or from when on. */
const spanOf = ({ isWhole, from, moments }: Foreseen): string =>
  `${count(moments, 'moment')} of ${isWhole ? 'the last day' : `the time since ${from.slice(11, 16)}`} ${moments === 1 ? 'was' : 'were'} lived once more.`;

/** The answer of the server as lines: each kind of deed leads to the first that comes out otherwise. */
export function told(answer: Foreseen): Foresight[] {
  if (answer.moments === 0) return [{ text: 'Nobody whom it concerns has lived a moment in the last day.', seq: null }];
  const deeds = answer.deeds.map(({ sentence, first }) => ({ text: sentence, seq: first ?? null }));
  const others = answer.sentences.slice(answer.deeds.length).map((text) => ({ text, seq: null }));
  return [...deeds, ...others, { text: spanOf(answer), seq: null }];
}

/** Lives the last day with another flow of a being. */
export async function foreseenOfFlow(being: string, flow: JsonMap[]): Promise<Foresight[]> {
  return told(await api.foresee({ being: at(being), flow }));
}

/** Says who wears a role now, and lives the last day with another version of it. */
export async function foreseenOfRole(name: string, role: JsonMap | null, space: string, wearing: string[]): Promise<Foresight[]> {
  const now = wearing.length === 0 ? 'Nobody wears it now.' : `${listed(wearing.slice(0, 3).map(at))}${wearing.length > 3 ? ` and ${wearing.length - 3} more` : ''} ${wearing.length === 1 ? 'wears' : 'wear'} it now.`;
  const answer = await api.foresee({ roles: { [name]: role }, ...(space === '/' ? {} : { space }) });
  return [{ text: now, seq: null }, ...told(answer)];
}
