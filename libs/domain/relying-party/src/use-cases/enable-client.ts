import { type ClientId, type Clock, pause } from '#kernel';

import { ClientNotFound } from '../domain/client.errors.js';
import type { Client } from '../domain/client.js';
import type { Clients } from '../repositories/clients.js';

/** Disables a client, or enables it again (specification/admin.md#disabled-clients). */
export class EnableClient {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife = 0,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {}

  /** When it resolves, every replica treats the client so. Throws {@link ClientNotFound} and {@link OwnClientRefused}. */
  async execute(clientId: ClientId, enabled: boolean): Promise<Client> {
    const type = enabled ? 'EnableClient' : 'DisableClient';
    const { state } = await this.clients.handle(clientId, () => ({ type, now: this.clock.now() }));
    if (state.status !== 'REGISTERED') throw new ClientNotFound('no such client');
    if (this.recordLife > 0) await this.wait(this.recordLife);
    return { clientId, ...state.terms, enabled: state.enabled };
  }
}
