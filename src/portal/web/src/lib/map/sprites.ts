// Small pictures of faces for a canvas, each drawn once: the name, the head and what a source chose make it what it is.
import { clipOf, headSvg, heads, type Chosen, type Head } from '../face.ts';

const SIDE = 64;
/** Faces look the same up to their features: no more pictures than this are kept. */
const KEPT_MAX = 2048;

class Sprites {
  #kept = new Map<string, HTMLImageElement>();

  /** The picture of a face; null while it is not ready, whereupon `ready` is called. */
  of(name: string, head: Head, chosen: Chosen, ready: () => void): HTMLImageElement | null {
    const svg = headSvg(name, head, chosen);
    const known = this.#kept.get(svg);
    if (known) return known.complete ? known : null;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const style = getComputedStyle(document.documentElement);
    const resolved = svg.replace(/var\((--[\w-]+)\)/g, (_, property: string) => style.getPropertyValue(property).trim());
    const clip = heads().filter(([id]) => id === clipOf(head)).map(([id, path]) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`).join('');
    const image = new Image(SIDE, SIDE);
    image.onload = ready;
    image.src = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="4 4 32 32"><defs>${clip}</defs>${resolved}</svg>`)}`;
    this.#kept.set(svg, image);
    return null;
  }
}

export const sprites = new Sprites();
