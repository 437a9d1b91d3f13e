// The copy of the world's log outside, in a sentence, where there is something to say of it.
import type { WorldCopy } from './wire.ts';

/** Whether something is wrong, and what; null while the copy is level and all servers answer. */
export function copySays(copy: WorldCopy | null | undefined): { isBad: boolean; text: string } | null {
  if (!copy) return null;
  if (!copy.isOwner) return { isBad: true, text: `${copy.owner ?? 'Another'} owns this world now. Nothing more is kept here.` };
  const answering = copy.servers.filter(({ answers }) => answers).length;
  const servers = `${answering} of ${copy.servers.length} servers answer`;
  if (copy.waits) return { isBad: true, text: `Acts wait for the copy of the log: ${servers}. Nothing is lost.` };
  if (copy.fault) return { isBad: true, text: `The copy of the log fails: ${copy.fault}` };
  const behind = copy.behind > 0 ? `The copy of the log is ${copy.behind} ${copy.behind === 1 ? 'group' : 'groups'} behind. ` : '';
  if (answering < copy.servers.length) return { isBad: false, text: `${behind}Of the copy of the log ${servers}.` };
  return behind ? { isBad: false, text: behind.trim() } : null;
}
