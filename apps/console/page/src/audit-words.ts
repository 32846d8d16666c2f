import type { Messages } from './messages/messages.js';
import { type Json, textOf, textsOf } from './portal-api.js';

/**
 * The changes that a page of the audit trail tells of, newest first: one entry for each, the one with its outcome where there is one.
 *
 * @param ended the changes whose outcome was seen, on the pages before too; those of this page are added
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

/** The ids that a change names, with their names. */
export const targetOf = (entry: Json): readonly (readonly [string, string])[] => {
  const { target } = entry;
  const named = typeof target === 'object' && target !== null ? Object.entries(target) : [];
  const persons = textsOf(entry, 'persons').map((id) => ['identityId', id] as const);
  return [...named.flatMap(([name, id]) => (typeof id === 'string' ? [[name, id] as const] : [])), ...persons];
};
