// What the server knows and the page asks once: the closed lists of the language, each word with what it says, what each code means, and
// the bounds of what is typed. None of it is written down here a second time.
import type { Bounds, CodeWord, Json, OperatorWord, Word, Words } from './wire.ts';

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

/** What a `when` may ask about: the paths that every moment has, and the signals of this world. */
export const pathsOf = (told: { paths: string[]; signals: string[] }): string[] =>
  [...new Set([...told.paths, ...told.signals.map((signal) => (signal.startsWith('world.') ? signal : `world.${signal}`))])];
