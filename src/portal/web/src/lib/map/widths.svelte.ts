// How wide a text is, as the browser draws it. Each is measured once, and anew when a typeface has come.
const WEIGHTS = { strong: 640, plain: 400 };
/** It is measured so large, and forgotten once so many are known. */
const SIZE = 100;
const KNOWN_MAX = 4000;
const known = new Map<string, number>();
let brush: OffscreenCanvasRenderingContext2D | null = null;
let face = '';
let typefaces = $state(0);
document.fonts.addEventListener('loadingdone', () => {
  known.clear();
  typefaces += 1;
});

/** The width of a text in letters of a size. */
export function widthOf(text: string, size: number, isStrong: boolean): number {
  void typefaces;
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
  // Digits are all as wide as a zero.
  return brush.measureText(text.replace(/\d/g, '0')).width;
}
