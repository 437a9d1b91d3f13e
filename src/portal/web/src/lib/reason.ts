// Why something was done, as the server says it, for a row that may hold the moments of several.
import { plainText, subjects, type Part } from './sentence.ts';
import type { Report } from './wire.ts';

/** So many moments of one row are asked. */
const ASKED = 5;

/** A row tells only this where the server knows no cause. */
export const NO_REASON = 'Nothing that led to it is on record.';

type Reported = Pick<Report, 'seq' | 'being'>;

/** The reasons of some moments, each once, as sentences; where they differ each begins with those whose it is. */
export async function reasonsOf(moments: readonly Reported[], read: (seq: number) => Promise<{ report: Pick<Report, 'becauseOf'> }>): Promise<Part[][]> {
  const asked = moments.slice(0, ASKED);
  const told = await Promise.all(asked.map(async ({ seq, being }) => ({ being, because: (await read(seq)).report.becauseOf ?? [] })));
  const byWords = new Map<string, { beings: string[]; because: Part[] }>();
  for (const { being, because } of told) {
    const same = byWords.get(plainText(because));
    if (same) same.beings.push(being);
    else byWords.set(plainText(because), { beings: [being], because });
  }
  const isOne = byWords.size === 1;
  return [...byWords.values()].flatMap(({ beings, because }) => {
    if (because.length === 0) return [];
    return [isOne ? [{ text: 'Because ' }, ...because] : [...subjects([...new Set(beings)]), { text: ': because ' }, ...because]];
  });
}
