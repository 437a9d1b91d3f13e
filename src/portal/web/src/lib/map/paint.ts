// Colours of the page as a canvas takes them.

/** Resolves values such as `var(--role-1)` as they are at an element now; each is asked once. */
export function paints(of: Element): (value: string) => string {
  const style = getComputedStyle(of);
  const isDark = style.colorScheme === 'dark' || (style.colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches);
  const known = new Map<string, string>();
  const resolved = (value: string): string => {
    const name = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    if (!name) return value;
    const said = style.getPropertyValue(name).trim();
    const pair = /^light-dark\((.+),\s*([^,]+)\)$/.exec(said);
    return resolved(pair ? ((isDark ? pair[2] : pair[1]) ?? '') : said);
  };
  return (value) => {
    let colour = known.get(value);
    if (colour === undefined) known.set(value, colour = resolved(value));
    return colour;
  };
}

type Paint = (value: string) => string;
interface Point { x: number; y: number }

/** Makes a canvas as large as it is shown, and empty. */
export function cleared(canvas: HTMLCanvasElement, brush: CanvasRenderingContext2D, { ratio, width, height }: { ratio: number; width: number; height: number }): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, width, height);
}

/** Marks those who were refused and the chosen one, as far as they have a point. */
export function marked(brush: CanvasRenderingContext2D, { refused, chosen }: { refused: Iterable<string>; chosen: string | null }, pointOf: (name: string) => Point | null, paint: Paint): void {
  for (const name of refused) {
    const point = pointOf(name);
    if (point) diamond(brush, point.x, point.y, paint('var(--refusal)'));
  }
  const one = chosen === null ? null : pointOf(chosen);
  if (one) ring(brush, one.x, one.y, paint);
}

/** The sign of the chosen one, which stands out from dots and squares of any shade. */
function ring(brush: CanvasRenderingContext2D, x: number, y: number, paint: Paint): void {
  brush.beginPath();
  brush.arc(x, y, 9, 0, 7);
  for (const [colour, width] of [['var(--raised)', 7], ['var(--accent)', 3]] as const) {
    brush.strokeStyle = paint(colour);
    brush.lineWidth = width;
    brush.stroke();
  }
}

/** The sign of a refusal. */
export function diamond(brush: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  brush.fillStyle = colour;
  brush.beginPath();
  brush.moveTo(x, y - 6);
  brush.lineTo(x + 6, y);
  brush.lineTo(x, y + 6);
  brush.lineTo(x - 6, y);
  brush.fill();
}
