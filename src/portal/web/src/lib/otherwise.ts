// The choices of a fork: what one changes in it, and the line that the server takes for it.
import { written } from './exact.ts';
import { fromText } from './value.ts';
import { at } from './words.ts';

export type Kind = 'signal' | 'setting' | 'role';
/** `of`: a signal, a setting or a being; `to`: its value, or the role that the being wears. */
export interface Choice { kind: Kind; of: string; to: string }

/** Each choice as people read it, and what its two fields are. */
export const CHOICES: Record<Kind, { does: string; of: string; to: string }> = {
  signal: { does: 'Another signal', of: 'Signal', to: 'Its value' },
  setting: { does: 'Another setting', of: 'Setting', to: 'Its value' },
  role: { does: 'Another role', of: 'Being', to: 'The role that it wears' },
};

/** Whether nothing was written in it. */
export const isEmpty = (choice: Choice): boolean => !choice.of.trim() && !choice.to.trim();

/** One line of the grammar of changes. */
export function lineOf({ kind, of, to }: Choice): string {
  const name = of.trim();
  if (kind === 'role') return `flow:${at(name)}=${written([{ role: to.trim() }])}`;
  return `${kind}:${name}=${written(fromText(to))}`;
}
