// Where in the page one is: `#/being/ada` as page `being` with the rest `ada`.

import { tick, untrack } from 'svelte';

export interface Route { page: string; rest: string; hash: string }

function read(): Route {
  const hash = location.hash.replace(/^#/, '') || '/';
  const [path = '/', search = ''] = hash.split('?');
  const [, page = '', ...rest] = path.split('/');
  let decoded = rest.join('/');
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // A stray % stands for itself.
  }
  return { page, rest: decoded, hash: search };
}

/** What stands in the way of going elsewhere: a draft that is not published. */
export interface Guard { what: () => string; isInTheWay: () => boolean; drop: () => void }

class Router {
  now: Route = $state(read());
  /** Where somebody wants to go who would leave a draft behind, until they have said what is to become of it. */
  wants: { to: Route; what: string } | null = $state.raw(null);
  #guard: Guard | null = null;
  constructor() {
    addEventListener('hashchange', () => {
      const to = read();
      const isElsewhere = to.page !== this.now.page || to.rest !== this.now.rest;
      if (isElsewhere && this.#guard?.isInTheWay()) this.wants = { to, what: this.#guard.what() };
      else this.#go(to);
    });
  }

  #go(to: Route): void {
    this.wants = null;
    this.now = to;
  }

  /** A page that holds a draft is asked about it before anybody leaves. */
  guard(guard: Guard): () => void {
    this.#guard = guard;
    return () => { if (this.#guard === guard) this.#guard = null; };
  }

  /** Stays; the address is that of the page again. */
  stay(): void {
    this.wants = null;
    history.replaceState(null, '', address(this.now));
  }

  /** Goes where somebody wanted to go. */
  leave(isDropped: boolean): void {
    if (isDropped) this.#guard?.drop();
    if (this.wants) this.#go(this.wants.to);
  }
}

const address = ({ page, rest, hash }: Route): string => `#/${[page, ...rest.split('/').map(encodeURIComponent)].filter(Boolean).join('/')}${hash ? `?${hash}` : ''}`;

export const router = new Router();

/** Whoever chooses a thing stands in its panel, Escape closes it, and the focus goes back to where it came from. */
export function attend(chosen: () => string | null, panel: () => HTMLElement | undefined, onclose: () => void): void {
  let last = untrack(chosen);
  let from: Element | null = null;
  $effect(() => {
    const on = chosen();
    if (on === last) return;
    const was = last;
    last = on;
    if (on !== null) {
      const active = document.activeElement;
      if (active && active !== document.body && !untrack(panel)?.contains(active)) from = active;
      void tick().then(() => {
        const section = panel()?.querySelector<HTMLElement>('section');
        section?.focus({ preventScroll: true });
        section?.scrollIntoView({ block: 'nearest' });
        // What is higher than the window is read from its top.
        if (section && section.getBoundingClientRect().bottom > innerHeight) section.scrollIntoView({ block: 'start' });
      });
    } else if (was !== null) {
      void tick().then(() => {
        const active = document.activeElement;
        if (active && active !== document.body) return;
        const end = `?on=${encodeURIComponent(was)}`;
        const again = from?.isConnected ? from : [...document.querySelectorAll('main a[href]')].find((link) => link.getAttribute('href')?.endsWith(end));
        (again as HTMLElement | SVGElement | undefined)?.focus();
        from = null;
      });
    }
  });
  $effect(() => {
    const box = panel();
    if (!box) return;
    const keydown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      // Out of a field first, so that nobody loses what they have written.
      if ((event.target as Element).matches('input, select, textarea')) box.querySelector<HTMLElement>('section')?.focus();
      else onclose();
    };
    box.addEventListener('keydown', keydown);
    return () => box.removeEventListener('keydown', keydown);
  });
}

export const go = (hash: string): void => {
  location.hash = hash;
};

export const href = {
  world: (address?: string) => (address && address !== '/' ? `#/space${address}` : '#/'),
  being: (name: string) => `#/being/${encodeURIComponent(name.replace(/^@/, ''))}`,
  drive: (name: string) => `#/drive/${encodeURIComponent(name.replace(/^@/, ''))}`,
  flow: (name: string) => `#/flow/${encodeURIComponent(name.replace(/^@/, ''))}`,
  draft: (address: string) => `#/draft/${encodeURI(address)}`,
  health: (address: string) => `#/health${address === '/' ? '' : address}`,
  stacks: (address: string) => `#/stacks${address === '/' ? '' : address}`,
  settings: (of: string, key?: string) => `#/settings?of=${encodeURIComponent(of)}${key === undefined ? '' : `&key=${encodeURIComponent(key)}`}`,
  compare: (from: number | string, to: number | string, path?: string) => `#/compare?from=${from}&to=${to}${path ? `&with=${encodeURIComponent(path)}` : ''}`,
  moment: (seq: number | string) => `#/moment/${seq}`,
  role: (name: string) => `#/roles/${encodeURIComponent(name)}`,
  moments: (filters: Record<string, string>) => `#/moments?${new URLSearchParams(filters).toString()}`,
};
