// A sentence as the server tells it: what was done, and what was said.
import type { Part } from '../src/lib/sentence.ts';

export const did = (text: string, said?: string): Part[] => [{ text }, ...(said ? [{ text: ' ' }, { text: said, isSaid: true }] : [])];
