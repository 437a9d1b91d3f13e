// Forms from JSON Schemas: which fields an action asks for, and the arguments that the fields' texts mean.
import { numberOf } from './exact.ts';
import type { Json, JsonMap } from './wire.ts';
import { fromText, isMap } from './value.ts';

export type FieldKind = 'text' | 'long' | 'number' | 'yes-no' | 'choice' | 'coords' | 'texts' | 'json';
export interface Field { name: string; kind: FieldKind; required: boolean; about: string; choices: Json[]; mayBeNull: boolean; min?: number; max?: number }

/** The fields of an object schema, required ones first. */
export function fieldsOf(schema: JsonMap | undefined | null): Field[] {
  const properties = isMap(schema?.['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema?.['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).map(([name, part]) => fieldOf(name, isMap(part) ? part : {}, required.includes(name)));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

function fieldOf(name: string, part: JsonMap, required: boolean): Field {
  const types = Array.isArray(part['type']) ? part['type'] : part['type'] === undefined ? [] : [part['type']];
  const field: Field = {
    name, required, about: typeof part['description'] === 'string' ? part['description'] : '', choices: Array.isArray(part['enum']) ? part['enum'] : [],
    mayBeNull: types.includes('null'), kind: kindOf(name, part, types.filter((type) => type !== 'null')),
  };
  if (typeof part['minimum'] === 'number') field.min = part['minimum'];
  if (typeof part['maximum'] === 'number') field.max = part['maximum'];
  return field;
}

function kindOf(name: string, part: JsonMap, types: Json[]): FieldKind {
  if (Array.isArray(part['enum'])) return 'choice';
  if (types.length === 0 && ['coords', 'spot', 'size'].includes(name)) return 'coords';
  if (types.length !== 1) return 'json';
  switch (types[0]) {
    case 'boolean': return 'yes-no';
    case 'integer':
    case 'number': return 'number';
    case 'string': return ['content', 'prompt', 'source', 'about', 'text'].includes(name) ? 'long' : 'text';
    case 'array': return isMap(part['items']) && part['items']['type'] === 'string' ? 'texts' : 'json';
    default: return 'json';
  }
}

/** A field that cannot be read: which, and what was expected. */
export class FieldError extends Error {
  readonly field: string;
  constructor(field: string, expected: string) {
    super(`${field}: expected ${expected}`);
    this.field = field;
  }
}

/** The arguments that the texts of a form mean; empty fields that are not required are left out. */
export function argsOf(fields: Field[], texts: Record<string, string>): JsonMap {
  const args: JsonMap = {};
  for (const field of fields) {
    const text = texts[field.name] ?? '';
    if (text.trim() === '') {
      if (!field.required) continue;
      if (field.mayBeNull) args[field.name] = null;
      else throw new FieldError(field.name, 'something');
      continue;
    }
    args[field.name] = valueOf(field, text);
  }
  return args;
}

function valueOf(field: Field, text: string): Json {
  switch (field.kind) {
    case 'text':
    case 'long': return text;
    case 'choice': return field.choices.find((choice) => String(choice) === text) ?? text;
    case 'yes-no': return text === 'true';
    case 'number': {
      const number = numberOf(text);
      if (number === null) throw new FieldError(field.name, 'a number');
      return number;
    }
    case 'coords': {
      const axes = text.split(/[\s,;]+/).filter(Boolean).map(Number);
      if (axes.length < 1 || axes.length > 3 || !axes.every(Number.isInteger)) throw new FieldError(field.name, 'a place on the grid such as `3, 1`');
      return axes;
    }
    case 'texts': return text.split(/[\n,]+/).map((item) => item.trim()).filter(Boolean);
    case 'json': return fromText(text);
  }
}
