// The keys that work on every page, and when they are free: not in a field, not on what hears a key by itself.

/** Each key with what it does, as one reads it. */
export const KEYS: [string, string][] = [
  ['Space', 'Pause the time or let it pass; in the past: play'], ['← →', 'A moment back or on; on a being’s page: one of its own'], ['Shift ← →', 'A moment of the world'],
  ['Home', 'The first moment'], ['N or End', 'Now'], ['Esc', 'Close what is open; in the past: back to now'], ['1 2 3 4', 'Pace ×1, ×10, ×60, ×600'],
  ['+ − 0', 'On the timeline: nearer, farther, all of the past'], ['↑ ↓', 'On the timeline: to the next that was refused or failed, to the one before'], ['Shift Space', 'On the timeline: play back'], ['f', 'Fork here'], ['Ctrl K or /', 'Go to anything'],
  ['g, then w m b r s c h', 'World, moments, your being, roles, signals, cost, health'], ['Ctrl S', 'Publish what one has written on this page'], ['?', 'All keys'],
];
/** Where `g` and a letter lead. */
export const PAGES: Record<string, string> = { w: '#/', m: '#/moments', b: '#/me', r: '#/roles', s: '#/signals', c: '#/cost', h: '#/health' };

const FIELDS = 'input, select, textarea, [contenteditable="true"], [role="combobox"], [role="textbox"]';
const PRESSED = 'button, a, summary, [role="button"], [role="link"], [role="option"], [role="tab"], [role="menuitem"]';

/** Which key it is: as it is written where it writes a letter, a digit or a sign of this page, and else by where it lies. So `л` is `k`, and `&` on the key 1 is `1`. */
export function keyOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (key.length !== 1 || /^[a-z0-9 /?+=-]$/i.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit && !shiftKey) return digit;
  return key;
}

/** While a word is composed its keys are no keys of the page; an editor of code composes by itself. */
export const isComposed = (event: KeyboardEvent): boolean =>
  (event.isComposing || event.keyCode === 229) && !(event.target instanceof Element && event.target.closest('.cm-editor'));

/** Whether a key is meant for the page: nobody heard it, writes with it or presses something by it. */
export function isFree(event: KeyboardEvent, on: 'page' | 'arrow' = 'page'): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return false;
  const target = event.target instanceof Element ? event.target : null;
  return !target?.closest(on === 'arrow' ? FIELDS : `${FIELDS}, ${PRESSED}`);
}
