// Where an address leads: a place is gone to, anybody and anything else is chosen where one stands.
import { find } from './grid.ts';
import { href } from './route.svelte.ts';
import type { Space } from './wire.ts';

/** The address of the page that shows a thing, a being or a place, from the place that is shown. */
export const hrefOf = (tree: Space | null, to: string, from = '/'): string =>
  (!to.startsWith('@') && find(tree, to) !== null ? href.world(to) : `${href.world(from)}?on=${encodeURIComponent(to)}`);
