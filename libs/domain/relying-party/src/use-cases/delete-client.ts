import { type ClientId, type Clock, pause } from '#kernel';

import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientLogos } from '../logo/client-logos.js';
import type { Clients } from '../repositories/clients.js';

/** Deletes a client for good, with its webhook endpoints and its logo (specification/admin.md#deletion-of-a-client). */
export class DeleteClient {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    private readonly logos: Pick<ClientLogos, 'handle'>,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife = 0,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {}

  /**
   * When it resolves, no replica accepts anything from the client. Throws {@link ClientNotFound}, also for a client that is deleted already; its logo
   * is erased even then, should a process have died before. Throws {@link OwnClientRefused}.
   */
  async execute(clientId: ClientId): Promise<void> {
    let isRepeated = false;
    await this.clients.handle(clientId, ({ status }) => {
      isRepeated = status === 'DELETED';
      return { type: 'DeleteClient', now: this.clock.now() };
    });
    // The logo comes last: until then a replica may take one from staff.
    if (this.recordLife > 0) await this.wait(this.recordLife);
    await this.logos.handle(clientId, { type: 'RemoveLogo', now: this.clock.now() });
    if (isRepeated) throw new ClientNotFound('the client was deleted before');
  }
}
