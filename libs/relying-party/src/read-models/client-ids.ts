import type { ClientId } from '#kernel';
import { categoryOf, type EventStore, historyBefore, idOf, type RecordedEvent } from '#event-store';

/**
 * Every client that was registered before the event, which the caller has appended or read. Reads the store up to that event: a
 * subscription, or a read model, may show a client later than the append of its registration was answered.
 */
export const clientsRegisteredBefore = async (store: EventStore, event: RecordedEvent): Promise<ClientId[]> => {
  const ids: ClientId[] = [];
  for await (const { type, stream } of historyBefore(store, ['client', categoryOf(event.stream)], event)) {
    if (type === 'ClientRegistered') ids.push(idOf<ClientId>(stream));
  }
  return ids;
};
