// Verbs as operations tell them, in the third person: as their base and in the past. What is no such verb stays as it is.

const IRREGULAR = new Map(Object.entries({
  be: 'was', have: 'had', do: 'did', go: 'went', put: 'put', take: 'took', leave: 'left', send: 'sent', bring: 'brought', read: 'read', make: 'made', give: 'gave', get: 'got', come: 'came',
  see: 'saw', say: 'said', tell: 'told', think: 'thought', buy: 'bought', sell: 'sold', pay: 'paid', lay: 'laid', lend: 'lent', build: 'built', begin: 'began', break: 'broke', catch: 'caught',
  choose: 'chose', cut: 'cut', draw: 'drew', drink: 'drank', drive: 'drove', eat: 'ate', fall: 'fell', feed: 'fed', feel: 'felt', fight: 'fought', find: 'found', fly: 'flew', forget: 'forgot',
  grow: 'grew', hang: 'hung', hear: 'heard', hide: 'hid', hit: 'hit', hold: 'held', keep: 'kept', know: 'knew', lead: 'led', let: 'let', light: 'lit', lose: 'lost', meet: 'met', ride: 'rode',
  ring: 'rang', rise: 'rose', run: 'ran', set: 'set', shut: 'shut', sing: 'sang', sit: 'sat', sleep: 'slept', speak: 'spoke', spend: 'spent', stand: 'stood', steal: 'stole', stick: 'stuck',
  strike: 'struck', swim: 'swam', teach: 'taught', throw: 'threw', wake: 'woke', wear: 'wore', win: 'won', write: 'wrote', bend: 'bent', bind: 'bound', blow: 'blew', deal: 'dealt', dig: 'dug',
  shoot: 'shot', shake: 'shook', spread: 'spread', sweep: 'swept', swing: 'swung', understand: 'understood', admit: 'admitted', commit: 'committed', submit: 'submitted', permit: 'permitted',
  beat: 'beat', refer: 'referred', prefer: 'preferred', transfer: 'transferred', regret: 'regretted',
}));
const IRREGULAR_THIRD = new Map(Object.entries({ is: 'be', has: 'have', does: 'do', goes: 'go', dies: 'die', lies: 'lie', ties: 'tie' }));

/** `presses` as `press`; null for what is no verb in the third person. */
export function baseOf(word: string): string | null {
  const irregular = IRREGULAR_THIRD.get(word);
  if (irregular) return irregular;
  if (!/^[a-z]+s$/.test(word) || /(ss|us|is)$/.test(word) || word.length < 3) return null;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(ss|sh|ch|x|zz|o)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** `press` as `pressed`. */
export function pastOf(base: string): string {
  const irregular = IRREGULAR.get(base);
  if (irregular) return irregular;
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}

/** `press` as `presses`. */
export function thirdOf(base: string): string {
  const irregular = [...IRREGULAR_THIRD].find(([, of]) => of === base)?.[0];
  if (irregular) return irregular;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`;
  return /(s|sh|ch|x|zz|o)$/.test(base) ? `${base}es` : `${base}s`;
}

/** What somebody does, with its first verb told another way; null where it begins with none. */
function turned(deed: string, how: (base: string) => string): string | null {
  const [first = ''] = deed.split(' ', 1);
  const base = baseOf(first);
  if (base === null) return null;
  // A second verb is only known where it is one that nobody takes for a noun.
  return (how(base) + deed.slice(first.length)).replace(/ and ([a-z]+s)\b/, (whole, word: string) => {
    const second = baseOf(word);
    return second !== null && IRREGULAR.has(second) ? ` and ${how(second)}` : whole;
  });
}

/** `presses a deck` as `pressed a deck`; other words stay. */
export const inPast = (deed: string): string => turned(deed, pastOf) ?? deed;
/** `presses a deck` as `press a deck`; null where it begins with no verb. */
export const asBase = (deed: string): string | null => turned(deed, (base) => base);
