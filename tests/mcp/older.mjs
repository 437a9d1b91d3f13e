// The suite imports `globSync`, which Node has since 22 and which no scenario for servers calls. An older Node gets one that throws.
import * as fs from 'node:fs';
import { register } from 'node:module';

const inline = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const STAND_IN = inline(`
  export * from 'node:fs';
  export function globSync() { throw new Error('globSync needs Node 22'); }
`);
const RESOLVE = inline(`
  export function resolve(specifier, context, next) {
    const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
    return specifier === 'fs' && isSuite ? { url: ${JSON.stringify(STAND_IN)}, shortCircuit: true } : next(specifier, context);
  }
`);

if (!('globSync' in fs)) register(RESOLVE);
