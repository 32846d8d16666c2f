import { type ClientId, type Page, type PageRequest, Roster } from '#kernel';
import { type EventStore, Projection, type RecordedEvent } from '#event-store';

import type { Client } from '../domain/client.js';
import type { ClientEvent } from '../domain/client.events.js';

/** All clients in the order of their registration, in memory; a client that was just registered may come a moment later. */
export class ListClients {
  readonly #clients = new Roster<ClientId, Client>();
  readonly #projection: Projection;

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

  #apply(recorded: RecordedEvent): void {
    const event = recorded as unknown as ClientEvent;
    const clientId = recorded.stream.slice('client-'.length) as ClientId;
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
