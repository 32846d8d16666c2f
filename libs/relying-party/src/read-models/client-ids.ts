import type { ClientId } from '#kernel';
import { type EventStore, history } from '#event-store';

/** Every client registered before the call: read from the store itself, for what must not miss one. */
export const registeredClientIds = async (store: EventStore): Promise<ClientId[]> => {
  const ids: ClientId[] = [];
  for await (const event of history(store, ['client'])) {
    if (event.type === 'ClientRegistered') ids.push(event.stream.slice('client-'.length) as ClientId);
  }
  return ids;
};
