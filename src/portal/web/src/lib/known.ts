// What the server knows and the page asks once: the closed lists of the language, each word with what it says, what each code means, and
// the bounds of what is typed. None of it is written down here a second time.
import type { Json, JsonMap } from './types.ts';

/** A word of a closed list, and what it says. */
export interface Word { word: string; says: string }
/** An operator of conditions: `takes` is what it is compared with. */
export interface OperatorWord extends Word { takes: 'value' | 'list' | 'order' | 'truth' | 'text'; not?: string }
/** A verb, and the list of a role that lets it through. */
export interface VerbWord extends Word { list: string }
/** An operation on identity: of oneself, of a being, or of one that is driven from a tab of its own. */
export interface BindingWord extends Word { of: 'self' | 'being' | 'seat' }
export interface Bounds { min: number; max: number }
export interface Words {
  verbs: VerbWord[]; bindings: BindingWord[]; relations: Word[]; operators: OperatorWord[];
  cognitions: Word[]; triggers: Word[]; orientations: Word[]; closings: Word[]; wakes: Word[]; outcomes: Word[];
  /** What a role is where nothing is written, key by key. */
  role: JsonMap;
  pace: Bounds; password: Bounds;
  connection: { reserved: string[]; tools: Word[]; timeoutMs: Bounds; parallel: Bounds; sampling: string[] };
  budget: { of: Word[]; periods: string[] };
}
/** A code: why something was refused, failed or goes on; what it means and what one can do. */
export interface CodeWord { code: string; kind: string; sentence: string; todo: string }

const none: Bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
let words: Words = {
  verbs: [], bindings: [], relations: [], operators: [], cognitions: [], triggers: [], orientations: [], closings: [], wakes: [], outcomes: [],
  role: {}, pace: none, password: none, connection: { reserved: [], tools: [], timeoutMs: none, parallel: none, sampling: [] }, budget: { of: [], periods: [] },
};
let codes = new Map<string, CodeWord>();

/** Takes up what the server has told, before anything is drawn. */
export function learn(told: Words, of: CodeWord[]): void {
  words = told;
  codes = new Map(of.map((code) => [code.code, code]));
}

export const known = (): Words => words;
export const allCodes = (): CodeWord[] => [...codes.values()];
export const codeOf = (code: string): CodeWord | undefined => codes.get(code);

/** What a word of a list says; a word that is not on it says itself. */
export const sayingOf = (list: Word[], word: string): string => list.find((each) => each.word === word)?.says ?? word;
export const wordsIn = (list: Word[]): string[] => list.map((each) => each.word);

export const operatorOf = (word: string): OperatorWord | undefined => words.operators.find((each) => each.word === word);
/** What stands at a key of a role where nothing is written. */
export const defaultOf = (key: string): Json | undefined => words.role[key];
