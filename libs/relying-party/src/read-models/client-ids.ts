import type { ClientId } from '#kernel';
import { type EventStore, history, idOf } from '#event-store';

/** Every client registered before the call. Reads the store, for callers that must not miss a client. */
export const registeredClientIds = async (store: EventStore): Promise<ClientId[]> => {
  const ids: ClientId[] = [];
  for await (const event of history(store, ['client'])) {
    if (event.type === 'ClientRegistered') ids.push(idOf<ClientId>(event.stream));
  }
  return ids;
};
