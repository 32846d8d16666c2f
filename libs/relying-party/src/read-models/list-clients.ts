import { type ClientId, type Page, type PageRequest, PagedList } from '#kernel';
import { type EventStore, idOf, Projection, type RecordedEvent } from '#event-store';

import type { Client } from '../domain/client.js';
import type { ClientEvent } from '../domain/client.events.js';

/** All clients in the order of their registration, in memory. A new client appears with a short delay. */
export class ListClients {
  readonly #clients = new PagedList<ClientId, Client>();
  readonly #projection: Projection<ClientEvent>;

  constructor(store: EventStore, stopping: AbortSignal) {
    this.#projection = new Projection(store, ['client'], (event) => this.#apply(event), stopping);
  }

  /** Resolves when the list is complete: for the readiness probe. */
  get ready(): Promise<void> {
    return this.#projection.ready;
  }

  execute(request: PageRequest<ClientId>): Page<Client, ClientId> {
    return this.#clients.page(request);
  }

  #apply(event: RecordedEvent<ClientEvent>): void {
    const clientId = idOf<ClientId>(event.stream);
    if (event.type === 'ClientRegistered') {
      const { at: _, ...terms } = event.data;
      this.#clients.set(clientId, { clientId, ...terms });
    }
    if (event.type === 'ClientChanged') {
      const client = this.#clients.get(clientId);
      if (client) this.#clients.set(clientId, { ...client, ...event.data.changes });
    }
  }
}
