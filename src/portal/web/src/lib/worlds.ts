// Where on its server a world stands, by the address of its page: at `/`, or below `/w/`.

/** Where a page's own world begins: `/`, or `/w/strict/`. */
export const baseOf = (path: string): string => path.replace(/[^/]*$/, '');

/** Where its server's first world begins. */
export const rootOf = (path: string): string => baseOf(path).replace(/w\/[A-Za-z0-9-]+\/$/, '');

/** A path of the API, in this world. */
export const inWorld = (path: string): string => baseOf(location.pathname) + path.slice(1);

/** A world of this server by its path, as `/api/worlds` says it. */
export const worldAt = (path: string): string => rootOf(location.pathname) + path.slice(1);
