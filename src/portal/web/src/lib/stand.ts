// Where the focus goes when the page has changed what one stood on.
import { tick } from 'svelte';

/** Puts the focus on one of several like things once the page has drawn them: on the last where there are fewer. */
export async function standOn(list: HTMLElement | undefined, what: string, index: number, otherwise?: HTMLElement): Promise<void> {
  await tick();
  const found = list?.querySelectorAll<HTMLElement>(what);
  (found?.[Math.min(index, found.length - 1)] ?? otherwise)?.focus();
}
