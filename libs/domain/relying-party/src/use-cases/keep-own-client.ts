import type { Clock, Secret } from '#kernel';
import type { UnitOfWork } from '#engines/event-store';

import type { ClientTerms } from '../domain/client.js';
import type { OwnClient } from '../domain/own-client.js';
import { KeepClient } from './keep-client.js';

export interface KeepOwnClientParts {
  readonly own: OwnClient;
  /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
  readonly recordLife: number;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** The service's own client, {@link OwnClient}. Its id and its secret are derived from a key, so that every replica has them and no file holds them. */
export class KeepOwnClient {
  readonly #own: OwnClient;
  readonly #keep: KeepClient;

  constructor(unitOfWork: UnitOfWork, clock: Clock, { own, recordLife, wait }: KeepOwnClientParts) {
    this.#own = own;
    this.#keep = new KeepClient(unitOfWork, clock, recordLife, wait);
  }

  /**
   * Registers the client, or gives it the terms and the secret that it needs now. Stores nothing when it has them. May be called by several processes at the
   * same time. When it resolves, every replica knows the client so.
   */
  async execute(wanted: Omit<ClientTerms, 'name'>, secret: Secret<string>): Promise<void> {
    await this.#keep.execute(this.#own.clientId, { ...wanted, name: this.#own.name }, secret);
  }
}
