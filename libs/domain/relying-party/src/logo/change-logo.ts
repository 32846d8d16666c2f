import type { ClientId, Clock } from '#kernel';

import type { ClientLogo } from '../domain/client-logo.js';
import type { Clients } from '../repositories/clients.js';
import type { ClientLogos } from './client-logos.js';
import { logoOf } from './logo-image.js';
import type { PictureDecoder } from './picture-decoder.js';

export interface ChangeLogoParts {
  readonly clients: Pick<Clients, 'assertRegistered'>;
  readonly logos: ClientLogos;
  readonly clock: Clock;
  readonly decoder: Pick<PictureDecoder, 'reencode'>;
  /** Whether staff must approve a logo before people see it. */
  readonly needsApproval: boolean;
}

/** Uploads, approves and removes the logo of a client (specification/admin.md#logo). Every method throws {@link ClientNotFound} and {@link OwnClientRefused}. */
export class ChangeLogo {
  constructor(private readonly parts: ChangeLogoParts) {}

  /** `image`: base64 of a PNG. Throws InvalidRequest for a picture that cannot be shown, and ServiceUnavailable when too many pictures wait to be decoded. */
  async upload(clientId: ClientId, image: string): Promise<ClientLogo> {
    await this.parts.clients.assertRegistered(clientId);
    const logo = await logoOf(image, this.parts.decoder);
    // Decoding takes a while, in which the client may have been deleted.
    await this.parts.clients.assertRegistered(clientId);
    const { needsApproval } = this.parts;
    return this.parts.logos.handle(clientId, { type: 'UploadLogo', now: this.parts.clock.now(), logo, needsApproval });
  }

  /** Throws LogoNotFound when another picture, or none, waits. */
  async approve(clientId: ClientId, hash: string): Promise<ClientLogo> {
    await this.parts.clients.assertRegistered(clientId);
    return this.parts.logos.handle(clientId, { type: 'ApproveLogo', now: this.parts.clock.now(), hash });
  }

  async remove(clientId: ClientId): Promise<void> {
    await this.parts.clients.assertRegistered(clientId);
    await this.parts.logos.handle(clientId, { type: 'RemoveLogo', now: this.parts.clock.now() });
  }
}
