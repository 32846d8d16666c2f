import { setTimeout as pause } from 'node:timers/promises';

import { CommandHandler, type EventStore } from '#event-store';
import type { ClientId, Clock } from '#kernel';

import { clientDecider } from '../domain/client.decider.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientLogos } from '../logo/client-logos.js';
import { clientStream } from '../repositories/client-stream.js';

/** Deletes a client for good, with its webhook endpoints and its logo (specification/admin.md#deletion-of-a-client). */
export class DeleteClient {
  readonly #clients;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    private readonly logos: Pick<ClientLogos, 'handle'>,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife = 0,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {
    this.#clients = new CommandHandler(store, clientDecider, clock);
  }

  /**
   * When it resolves, no replica accepts anything from the client. Throws {@link ClientNotFound}, also for a client that is deleted already; its logo
   * is erased even then, should a process have died before.
   */
  async execute(clientId: ClientId): Promise<void> {
    let isRepeated = false;
    await this.#clients.handle(clientStream(clientId), ({ status }) => {
      isRepeated = status === 'DELETED';
      return { type: 'DeleteClient', now: this.clock.now() };
    });
    // The logo comes last: until then a replica may take one from staff.
    if (this.recordLife > 0) await this.wait(this.recordLife);
    await this.logos.handle(clientId, { type: 'RemoveLogo', now: this.clock.now() });
    if (isRepeated) throw new ClientNotFound('the client was deleted before');
  }
}
