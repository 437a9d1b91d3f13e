// A moment in a sentence, and whether it fits what somebody looks for.
import type { Report } from './types.ts';

export interface Filters { being?: string; space?: string; role?: string; action?: string; closing?: string; text?: string }

const bare = (name: string): string => name.replace(/^@/, '');

/** What was done, without who and when. */
export function deedOf(report: Report): { what: string; said: string; args: string } {
  const { what, said } = told(report);
  return { what, said, args: said ? '' : argsOf(report.deed) };
}

function told(report: Report): { what: string; said: string } {
  const said = report.said ?? '';
  switch (report.verb) {
    case 'do':
      if (report.action === 'say' && said) return { what: 'says', said };
      return { what: `${report.action ?? 'do'} → ${report.target ?? ''}`, said };
    case 'summon': return { what: `summons ${report.target ?? ''}`, said };
    case 'be': return { what: report.action ?? report.deed, said };
    case 'see': return { what: `looks at ${report.target ?? report.deed.replace(/^see /, '')}`, said };
    default: return { what: report.deed || (report.closing === 'see' ? 'looks around' : ''), said };
  }
}

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

/** Whether a moment that has just come fits the filters; the server says the same of older ones. */
export function fits(report: Report, filters: Filters): boolean {
  const { being, space, role, action, closing, text } = filters;
  if (being && report.being !== bare(being)) return false;
  if (space && !(report.space === space || (report.space ?? report.place).startsWith(space === '/' ? '/' : `${space}/`) || report.place === space)) return false;
  if (role && !report.stack.includes(role)) return false;
  if (action && report.action !== action) return false;
  if (closing && report.closing !== closing) return false;
  if (!text) return true;
  const all = [report.being, report.place, report.deed, report.said ?? '', report.reason?.code ?? '', ...report.stack].join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => all.includes(word));
}
