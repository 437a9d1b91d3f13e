// Settings by what they are for, the plain ones first.

interface Group { title: string; keys: string[]; below: string[] }

const GROUPS: Group[] = [
  { title: 'The world', keys: ['about', 'zone', 'clock', 'absence', 'steward'], below: [] },
  { title: 'What models may cost', keys: ['llm.budget', 'llm.currency', 'llm.prices'], below: ['llm.budget.'] },
  { title: 'How models think', keys: [], below: ['llm.'] },
  { title: 'What a model is told', keys: [], below: ['tokens.', 'recall.'] },
  { title: 'Brakes', keys: [], below: ['brakes.', 'attempts.', 'wakes.', 'rounds.'] },
  { title: 'Extensions', keys: ['extensions', 'profiles'], below: [] },
  { title: 'Rights', keys: ['operator', 'enforce'], below: [] },
  { title: 'Fixed since the world began', keys: ['name', 'seed', 'simulated', 'semantics', 'register', 'seals'], below: [] },
];
/** Settings of extensions have the name of theirs before a colon. */
const EXTENSIONS = 'Extensions';
const OTHERS = 'Others';
/** The whole source is no setting that anybody reads: what it says stands in the others. */
const HIDDEN = ['source'];

export const isShown = ({ key }: { key: string }): boolean => !HIDDEN.includes(key);

/** The title under which a setting stands: by its own key, else by how its key begins. */
function titleOf(key: string): string {
  const own = GROUPS.find((group) => group.keys.includes(key)) ?? GROUPS.find((group) => group.below.some((start) => key.startsWith(start)));
  return own?.title ?? (key.includes(':') ? EXTENSIONS : OTHERS);
}

/** Settings under their titles; those within a title keep their order. */
export function grouped<T extends { key: string }>(settings: T[]): { title: string; settings: T[] }[] {
  const shown = settings.filter(isShown);
  const titles = [...GROUPS.map((group) => group.title), OTHERS];
  const all = titles.map((title) => ({ title, settings: shown.filter((setting) => titleOf(setting.key) === title) }));
  return all.filter((group) => group.settings.length > 0);
}
