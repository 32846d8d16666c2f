import type { ClientId, Clock } from '#kernel';

import type { ClientLogo } from '../domain/client-logo.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { OwnClient } from '../domain/own-client.js';
import type { ClientRecords } from '../repositories/client-records.js';
import type { ClientLogos } from './client-logos.js';
import { logoOf } from './logo-image.js';

/** Uploads, approves and removes the logo of a client (specification/admin.md#logo). Every method throws {@link ClientNotFound} and {@link OwnClientRefused}. */
export class ChangeLogo {
  constructor(
    private readonly records: ClientRecords,
    private readonly logos: ClientLogos,
    private readonly clock: Clock,
    private readonly own: OwnClient,
    /** Whether staff must approve a logo before people see it. */
    private readonly needsApproval: boolean,
  ) {}

  /** `image`: base64 of a PNG. Throws InvalidRequest for a picture that cannot be shown. */
  async upload(clientId: ClientId, image: string): Promise<ClientLogo> {
    await this.#assertChangeable(clientId);
    const { needsApproval } = this;
    return this.logos.handle(clientId, { type: 'UploadLogo', now: this.clock.now(), logo: logoOf(image), needsApproval });
  }

  /** Throws LogoNotFound when another picture, or none, waits. */
  async approve(clientId: ClientId, hash: string): Promise<ClientLogo> {
    await this.#assertChangeable(clientId);
    return this.logos.handle(clientId, { type: 'ApproveLogo', now: this.clock.now(), hash });
  }

  async remove(clientId: ClientId): Promise<void> {
    await this.#assertChangeable(clientId);
    await this.logos.handle(clientId, { type: 'RemoveLogo', now: this.clock.now() });
  }

  async #assertChangeable(clientId: ClientId): Promise<void> {
    this.own.assertIsNot(clientId);
    if (!(await this.records.find(clientId))) throw new ClientNotFound('no such client');
  }
}
