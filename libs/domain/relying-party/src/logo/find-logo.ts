import type { ClientId } from '#kernel';

import type { ClientLogo, Logo } from '../domain/client-logo.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientRecords } from '../repositories/client-records.js';
import type { ClientLogos } from './client-logos.js';

export class FindLogo {
  constructor(
    private readonly records: ClientRecords,
    private readonly logos: ClientLogos,
  ) {}

  /** The approved logo, if there is one. */
  async shown(clientId: ClientId): Promise<Logo | undefined> {
    return (await this.logos.find(clientId)).shown;
  }

  /** The logo that the client has uploaded. Throws {@link ClientNotFound}. */
  async execute(clientId: ClientId): Promise<ClientLogo> {
    if (!(await this.records.find(clientId))) throw new ClientNotFound('no such client');
    return this.logos.find(clientId);
  }
}
