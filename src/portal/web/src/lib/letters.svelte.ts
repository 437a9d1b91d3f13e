// Letters that are written and not sent: each stays in this tab, under whom it goes to, until it is sent.
import { unsent } from './letter.ts';

class Letters {
  #all: Record<string, string> = $state({});
  #prefix = '';

  /** Whose letters they are: those of somebody else in this tab are not shown. */
  own(world: string, being: string): void {
    const prefix = `reelm-letter ${world} ${being} `;
    if (prefix === this.#prefix) return;
    this.#prefix = prefix;
    const found: Record<string, string> = {};
    this.#try((storage) => {
      for (const key of Object.keys(storage).filter((key) => key.startsWith(prefix))) found[key.slice(prefix.length)] = storage.getItem(key) ?? '';
    });
    this.#all = found;
  }

  text(key: string): string {
    return this.#all[key] ?? '';
  }

  write(key: string, text: string): void {
    if (text === '') delete this.#all[key];
    else this.#all[key] = text;
    this.#try((storage) => (text === '' ? storage.removeItem(this.#prefix + key) : storage.setItem(this.#prefix + key, text)));
  }

  /** So much of it has arrived. */
  sent(key: string, text: string): void {
    this.write(key, unsent(this.text(key), text));
  }

  /** Nobody who logs out leaves any behind. */
  clear(): void {
    for (const key of Object.keys(this.#all)) this.write(key, '');
  }

  /** A browser that keeps nothing keeps them as long as the page stands. */
  #try(what: (storage: Storage) => void): void {
    try {
      what(sessionStorage);
    } catch {
      // The page itself still has them.
    }
  }
}

export const letters = new Letters();
