import type { Messages } from './messages/messages.js';
import { type Json, objectOf, textOf, textsOf } from './portal-api.js';

/**
 * The changes on a page of the audit trail, newest first. Each change has one entry: the entry with its outcome if there is one, otherwise its beginning.
 *
 * @param ended the changes whose outcome was seen on the earlier pages; the call adds the changes of this page
 */
export const changesOf = (entries: readonly Json[], ended: Set<string>): readonly Json[] =>
  entries.filter((entry) => {
    const changeId = textOf(entry, 'changeId');
    if (entry['phase'] !== 'ENDED') return !ended.has(changeId);
    ended.add(changeId);
    return true;
  });

/** How a change ended. */
export const outcomeOf = (texts: Messages, entry: Json): string => {
  if (entry['phase'] !== 'ENDED') return texts.auditUnknown;
  const status = Number(entry['status']);
  if (status < 400) return texts.auditDone;
  return `${texts.auditRefused} ${[status, textOf(entry, 'errorCode')].join(' ').trim()}`;
};

/** Whether the signed history has the entry. Undefined where none is published. */
export const proofOf = (texts: Messages, entry: Json): { readonly text: string; readonly isProven: boolean } | undefined => {
  const state = textOf(objectOf(entry, 'proof') ?? {}, 'state');
  if (state === 'PROVEN') return { text: texts.auditProven, isProven: true };
  return state === 'PENDING' ? { text: texts.auditPending, isProven: false } : undefined;
};

/** The file by which others verify the entry: `history verify --entry` reads it. */
export const proofFile = (entry: Json, checkpoint: string): { readonly name: string; readonly text: string } => ({
  name: `audit-entry-${String(entry['sequence'])}.json`,
  text: `${JSON.stringify({ entry, checkpoint }, undefined, 2)}\n`,
});

/** The ids that a change names, with their names. */
export const targetOf = (entry: Json): readonly (readonly [string, string])[] => {
  const { target } = entry;
  const named = typeof target === 'object' && target !== null ? Object.entries(target) : [];
  const persons = textsOf(entry, 'persons').map((id) => ['identityId', id] as const);
  return [...named.flatMap(([name, id]) => (typeof id === 'string' ? [[name, id] as const] : [])), ...persons];
};
