import { randomUUID } from 'node:crypto';

import { qrPayload, type RelyingPartyClient, type SigningResult } from '#relying-party-client';

import type { ServiceAddresses } from './demo-options.js';
import type { SigningUnderWay } from './visitor.js';

export interface SigningsOptions {
  readonly client: RelyingPartyClient;
  readonly origin: string;
  readonly service: ServiceAddresses;
}

/** What the page found out about the file. The file itself stays where it is. */
export interface ChosenFile {
  /** SHA-512, 128 hexadecimal digits. */
  readonly sha512: string;
  readonly name: string;
  readonly title?: string;
}

/** What the demo does with the SDK to have a file signed, free of HTTP. */
export class Signings {
  constructor(private readonly options: SigningsOptions) {}

  async begin({ sha512, name, title }: ChosenFile): Promise<SigningUnderWay> {
    const pending = await this.options.client.beginSigning({ data: { sha512 }, name, ...(title !== undefined && { title }) });
    return { signingId: randomUUID(), pending, name };
  }

  /** What the QR code says, or the link on the same device. */
  payload({ pending }: SigningUnderWay): string {
    const { origin, service } = this.options;
    return qrPayload({ appScheme: service.appScheme, sessionId: pending.sessionId, returnUrl: `${origin}/signing` });
  }

  /** Throws what the SDK throws. */
  result({ pending }: SigningUnderWay): Promise<SigningResult> {
    return this.options.client.result(pending.sessionId);
  }
}
