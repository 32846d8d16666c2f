import { idOf } from '#engines/event-store';
import type { ClientId, IdentityId } from '#kernel';

import { eventsAt, openStoreAt, type StoreLocation } from './find-named-keys.js';
import { LASTING_KEYS } from './streams.js';

type SubjectLink = { readonly clientId: ClientId; readonly identityId: IdentityId };

/**
 * How many persons each client knows by a subjectId. Reads every event of the category `subject`. Throws EventStoreUnavailable, for a SQLite file also when a process
 * holds it.
 */
export const countAccounts = async (location: StoreLocation): Promise<ReadonlyMap<ClientId, number>> => {
  const links = new Map<string, SubjectLink>();
  for await (const { stream, type, data } of eventsAt(location, ['subject'])) {
    if (type === 'SubjectLinked') links.set(idOf(stream), data as SubjectLink);
    if (type === 'SubjectReleased') links.delete(idOf(stream));
  }
  const persons = new Map<ClientId, Set<IdentityId>>();
  for (const { clientId, identityId } of links.values()) persons.set(clientId, (persons.get(clientId) ?? new Set()).add(identityId));
  return new Map([...persons].map(([clientId, { size }]) => [clientId, size]));
};

/** The fingerprint of the last subject key that the store has noted. Throws EventStoreUnavailable, like {@link countAccounts}. */
export const notedSubjectKey = async (location: StoreLocation): Promise<string | undefined> => {
  const store = await openStoreAt(location);
  try {
    const [last] = await store.read(LASTING_KEYS.of('subject'), { direction: 'backwards', limit: 1 });
    return (last?.data as { readonly fingerprint?: string } | undefined)?.fingerprint;
  } finally {
    await store.close();
  }
};
