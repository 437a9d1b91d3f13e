// Changes that can be undone: what was published, what stood there before, and how both are read and written.
//
// An undo publishes what stood before on top of what was published. Where somebody has changed the same thing since, nothing is undone.
import { api } from './api.ts';
import type { Json, JsonMap, Report } from './wire.ts';
import { isMap } from './value.ts';
import { at } from './words.ts';

/** What stands now, and what a version built on it names as its base. */
interface Standing { value: Json; base: Json }

export interface Change {
  /** What was changed, as a sentence begins. */
  what: string;
  before: Json;
  after: Json;
  read(): Promise<Standing>;
  write(value: Json, base: Json): Promise<Report>;
}

/** The other way round. */
export const undone = (change: Change): Change => ({ ...change, before: change.after, after: change.before });

/** The value at a dotted path; null where nothing stands. */
function below(map: Json, path: string): Json {
  return path.split('.').reduce<Json>((value, key) => (isMap(value) ? (value[key] ?? null) : null), map);
}

export function ofSignal(path: string, before: Json, after: Json, as: string): Change {
  return {
    what: `The signal ${path}`, before, after,
    read: async () => ({ value: below((await api.signals(as)).signals, path), base: null }),
    write: (value) => api.do({ as, target: '/', action: 'signal.set', args: { path, value } }),
  };
}

export function ofSetting(key: string, place: string, before: Json, after: Json, as: string): Change {
  return {
    what: `The setting ${key} at ${place}`, before, after,
    read: async () => {
      const said = (await api.settings(place, as)).find((setting) => setting.key === key)?.said.find((each) => each.at === place);
      return { value: said?.value ?? null, base: null };
    },
    write: (value) => api.do({ as, target: place, action: 'config.set', args: { key, value } }),
  };
}

export function ofFlow(being: string, before: Json, after: Json, as: string): Change {
  return {
    what: `The flow of ${at(being)}`, before, after,
    read: async () => {
      const page = await api.being(being, as);
      return { value: page.flow ?? [], base: page.flowHash ?? '' };
    },
    write: (flow, base) => api.do({ as, target: at(being), action: 'flow.set', args: { flow, base } }),
  };
}

export function ofStacks(place: string, before: Json, after: Json, as: string): Change {
  return {
    what: `What ${place} stacks`, before, after,
    read: async () => {
      const flow = await api.see(`${place === '/' ? '' : place}/.flow`, as);
      return { value: flow, base: flow };
    },
    write: (flow, base) => api.do({ as, target: place, action: 'flow.set', args: { flow, base } }),
  };
}

/** A version of a role in a place; null: none of its own. */
export function ofRole(name: string, place: string, before: JsonMap | null, after: JsonMap | null, as: string): Change {
  return {
    what: place === '/' ? `The role ${name}` : `The role ${name} in ${place}`, before, after,
    read: async () => {
      const page = await api.role(name);
      const here = place === '/' ? { role: page.role, version: page.version } : page.places?.find((other) => other.space === place);
      return { value: here?.role ?? null, base: here?.version ?? 0 };
    },
    write: (role, base) => api.do({ as, target: place, action: 'role.set', args: { name, role, base } }),
  };
}

/** A rule of the world's own; null: there is none. */
export function ofRule(name: string, before: JsonMap | null, after: JsonMap | null, as: string): Change {
  return {
    what: `The rule ${name}`, before, after,
    read: async () => ({ value: (await api.rules(as)).find((rule) => rule.name === `world:${name}`)?.rule ?? null, base: null }),
    write: (rule) => api.do({ as, target: '/', action: 'rule.set', args: { name, rule } }),
  };
}

/** Whether an extension is on. */
export function ofExtension(name: string, before: boolean, after: boolean, as: string): Change {
  return {
    what: `The extension ${name}`, before, after,
    read: async () => ({ value: (await api.extensions(as)).find((extension) => extension.name === name)?.isOn ?? null, base: null }),
    write: (enabled) => api.do({ as, target: '/', action: 'extension.set', args: { name, enabled } }),
  };
}
