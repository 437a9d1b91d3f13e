// Drafts that are not published: kept in this tab until they are published or dropped, and asked about before anything could lose one.
import { readJson, written } from './exact.ts';
import type { Json } from './wire.ts';
import { isMap } from './value.ts';

/** A draft as it is kept: what it is of and where one edits it, what it says, for which place and on which version it was made, and what that version says. */
export interface Kept { what: string; href: string; draft: Json; base: string; place: string; on?: Json }
/** What somebody else has published while one wrote, and what both are built on, if that was kept. */
export interface Rival { base: Json | undefined; theirs: Json }

function parse(text: string | null): Kept | null {
  try {
    const value = readJson(text ?? 'null') as Json;
    const isKept = isMap(value) && ['what', 'href', 'base', 'place'].every((key) => typeof value[key] === 'string') && value['draft'] !== undefined;
    return isKept ? (value as unknown as Kept) : null;
  } catch {
    return null;
  }
}

class Drafts {
  /** All of them, by the pages that edit them. */
  all = $state.raw<Map<string, Kept>>(new Map());
  /** Whether the browser asks before it closes the tab. */
  asks = true;
  /** Whether one looks at the past, where no draft is shown, made or dropped. */
  isPast = false;
  #prefix = '';

  constructor() {
    addEventListener('beforeunload', (event) => {
      if (this.asks && this.all.size > 0) event.preventDefault();
    });
  }

  /** Whose drafts they are: what somebody else has left in this tab is not shown. */
  own(world: string, being: string): void {
    const prefix = `reelm-draft ${world} ${being} `;
    if (prefix === this.#prefix) return;
    this.#prefix = prefix;
    const kept = new Map<string, Kept>();
    this.#try((storage) => {
      for (const key of Object.keys(storage).filter((key) => key.startsWith(prefix)).sort()) {
        const draft = parse(storage.getItem(key));
        if (draft) kept.set(key.slice(prefix.length), draft);
      }
    });
    this.all = kept;
  }

  /** The one of a page, if it has one. */
  of(key: string): Kept | undefined {
    return this.isPast ? undefined : this.all.get(key);
  }

  keep(key: string, kept: Kept): void {
    if (this.isPast) return;
    this.all = new Map([...this.all, [key, kept]]);
    this.#try((storage) => storage.setItem(this.#prefix + key, written(kept)));
  }

  drop(key: string): void {
    if (this.isPast || !this.all.has(key)) return;
    this.all = new Map([...this.all].filter(([other]) => other !== key));
    this.#try((storage) => storage.removeItem(this.#prefix + key));
  }

  /** Whoever logs out leaves none behind. */
  clear(): void {
    for (const key of this.all.keys()) this.drop(key);
  }

  /** A browser that keeps nothing keeps no drafts beyond this page. */
  #try(what: (storage: Storage) => void): void {
    try {
      what(sessionStorage);
    } catch {
      // The page itself still has them.
    }
  }
}

export const drafts = new Drafts();

/** A draft as it goes on while somebody else's version stands: what they have published is no base of what is written here. */
export function keptOn(key: string, kept: Kept): Kept {
  const before = drafts.of(key);
  const { on: _, ...rest } = kept;
  return { ...rest, base: before?.base ?? '', ...(before?.on === undefined ? {} : { on: before.on }) };
}
