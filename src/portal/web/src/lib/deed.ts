// A moment in a sentence, and whether it fits what somebody looks for.
import type { Report } from './wire.ts';
import { numberFrom } from './value.ts';

/** `tokens` and `cost`: at least so many, as they were typed. */
export interface Filters { being?: string; space?: string; role?: string; action?: string; closing?: string; reason?: string; day?: string; text?: string; model?: string; tokens?: string; cost?: string }

const bare = (name: string): string => name.replace(/^@/, '');

type Told = Pick<Report, 'verb' | 'action' | 'target' | 'said' | 'deed' | 'closing'> & Partial<Pick<Report, 'being' | 'told'>>;

/** What was done, without who and when. */
export function deedOf(report: Told): { what: string; said: string; args: string } {
  const { what, said } = told(report);
  // What a trial costs is told beside it, as of any moment.
  const isTrial = report.action?.startsWith('model.') ?? false;
  return { what, said, args: said || isTrial || report.told ? '' : argsOf(report.deed) };
}

function told(report: Told): { what: string; said: string } {
  const said = report.said ?? '';
  switch (report.verb) {
    case 'do':
      if (report.told) return { what: report.told, said };
      if (report.action === 'say' && said) return { what: 'says', said };
      if (report.action === 'model.reserve') return { what: `holds back what trying a draft on ${report.target ?? ''} can cost`, said };
      if (report.action === 'model.settle') return { what: `tried a draft on ${report.target ?? ''}`, said };
      return { what: `${report.action ?? 'do'} → ${report.target ?? ''}`, said };
    case 'summon': return { what: `summons ${objectOf(report)}`, said };
    case 'be': return { what: report.action ?? report.deed, said };
    case 'see': return { what: `looks at ${objectOf(report) || report.deed.replace(/^see /, '')}`, said };
    default: return { what: report.deed || (report.closing === 'see' ? 'looks around' : ''), said };
  }
}

/** To whom it was done: `itself`, where that is whoever did it. */
const objectOf = ({ target, being }: Told): string => (being && target === `@${bare(being)}` ? 'itself' : (target ?? ''));

/** The arguments at the end of a deed's line, without the marks of JSON where they are whole and plain. */
function argsOf(deed: string): string {
  const begin = deed.indexOf(' {');
  if (begin < 0) return '';
  const text = deed.slice(begin + 1);
  try {
    const args = JSON.parse(text) as Record<string, unknown>;
    return Object.entries(args).map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ');
  } catch {
    return text;
  }
}

/** The filters as the server takes them: what is no number is left out until it is one. */
export function asked({ tokens, cost, ...rest }: Filters): Record<string, string | number | null | undefined> {
  const whole = numberFrom(tokens);
  return { ...rest, tokens: whole === null ? null : Math.ceil(whole), cost: numberFrom(cost) };
}

/** Whether a moment that has just come fits the filters; the server says the same of older ones. */
export function fits(report: Report, filters: Filters): boolean {
  const { being, space, role, action, closing, reason, day, text, model } = filters;
  if (being && report.being !== bare(being)) return false;
  if (space && !(report.space === space || (report.space ?? report.place).startsWith(space === '/' ? '/' : `${space}/`) || report.place === space)) return false;
  if (role && !report.stack.includes(role)) return false;
  if (action && report.action !== action) return false;
  if (closing && report.closing !== closing) return false;
  if (reason && report.reason?.code !== reason) return false;
  if (day && !report.time.startsWith(day)) return false;
  if (model && report.cost?.model !== model) return false;
  const [tokens, cost] = [numberFrom(filters.tokens), numberFrom(filters.cost)];
  if (tokens !== null && !(report.cost && report.cost.input + report.cost.output >= tokens)) return false;
  if (cost !== null && !(report.cost && report.cost.money / 1e6 >= cost)) return false;
  if (!text) return true;
  const all = [report.being, report.place, report.deed, report.said ?? '', report.reason?.code ?? '', ...report.stack].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => all.includes(word));
}
