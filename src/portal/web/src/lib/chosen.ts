// Where an address leads: a place is gone to, anybody and anything else is chosen where one stands.
import { find } from './grid.ts';
import { href } from './route.svelte.ts';
import type { Space } from './wire.ts';

/** The registers of a world that have a page of their own. */
const ROLES = '/.roles/';
const SIGNALS = '/.signals';

/** The address of the page that shows a thing, a being or a place, from the place that is shown. */
export const hrefOf = (tree: Space | null, to: string, from = '/'): string =>
  to === SIGNALS ? '#/signals' : to.startsWith(ROLES) ? href.role(to.slice(ROLES.length)) : (!to.startsWith('@') && find(tree, to) !== null ? href.world(to) : `${href.world(from)}?on=${encodeURIComponent(to)}`);
