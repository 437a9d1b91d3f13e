// How wide a text on the map is, as the browser draws it. Each is measured once.
const WEIGHTS = { strong: 640, plain: 400 };
/** It is measured so large, and forgotten once so many are known. */
const SIZE = 100;
const KNOWN_MAX = 4000;
const known = new Map<string, number>();
let brush: OffscreenCanvasRenderingContext2D | null = null;
let face = '';

/** The width of a text in letters of a size. */
export function widthOf(text: string, size: number, isStrong: boolean): number {
  const key = `${isStrong ? 's' : 'p'}${text}`;
  let width = known.get(key);
  if (width === undefined) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, (width = measured(text, isStrong) / SIZE));
  }
  return width * size;
}

function measured(text: string, isStrong: boolean): number {
  brush ??= new OffscreenCanvas(1, 1).getContext('2d');
  if (!brush) return text.length * SIZE * 0.56;
  face ||= getComputedStyle(document.documentElement).fontFamily;
  brush.font = `${isStrong ? WEIGHTS.strong : WEIGHTS.plain} ${SIZE}px ${face}`;
  return brush.measureText(text).width;
}

/** Forgets all: what was measured before the typeface came has other widths. */
export function forgetWidths(): void {
  known.clear();
}
