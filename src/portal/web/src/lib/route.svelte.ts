// Where in the page one is: `#/being/ada` as page `being` with the rest `ada`.

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

class Router {
  now: Route = $state(read());
  constructor() {
    addEventListener('hashchange', () => {
      this.now = read();
    });
  }
}

export const router = new Router();

export const go = (hash: string): void => {
  location.hash = hash;
};

export const href = {
  world: (address?: string) => (address && address !== '/' ? `#/space${address}` : '#/'),
  being: (name: string) => `#/being/${encodeURIComponent(name.replace(/^@/, ''))}`,
  drive: (name: string) => `#/drive/${encodeURIComponent(name.replace(/^@/, ''))}`,
  flow: (name: string) => `#/flow/${encodeURIComponent(name.replace(/^@/, ''))}`,
  moment: (seq: number | string) => `#/moment/${seq}`,
  role: (name: string) => `#/roles/${encodeURIComponent(name)}`,
  moments: (filters: Record<string, string>) => `#/moments?${new URLSearchParams(filters).toString()}`,
};
