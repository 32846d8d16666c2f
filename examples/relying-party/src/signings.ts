import { randomUUID } from 'node:crypto';

import { qrPayload, type RelyingPartyClient, type SigningResult } from '#clients/relying-party';

import type { ServiceAddresses } from './demo-options.js';
import type { SigningInProgress } from './visitor.js';

export interface SigningsOptions {
  readonly client: RelyingPartyClient;
  readonly origin: string;
  readonly service: ServiceAddresses;
}

/** Name, size and hash of the file, which itself stays in the browser. */
export interface ChosenFile {
  /** SHA-512, 128 hexadecimal digits. */
  readonly sha512: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly title?: string;
}

/** The demo's signings with the SDK, without HTTP. */
export class Signings {
  constructor(private readonly options: SigningsOptions) {}

  async begin({ sha512, name, size, title }: ChosenFile): Promise<SigningInProgress> {
    const pending = await this.options.client.beginSigning({ data: { sha512 }, name, size, ...(title !== undefined && { title }) });
    return { signingId: randomUUID(), pending, name };
  }

  /** The payload of the QR code, or of the link on the same device. */
  payload({ pending }: SigningInProgress): string {
    const { origin, service } = this.options;
    return qrPayload({ appScheme: service.appScheme, sessionId: pending.sessionId, returnUrl: `${origin}/signing` });
  }

  /** Throws the errors of the SDK. */
  result({ pending }: SigningInProgress): Promise<SigningResult> {
    return this.options.client.result(pending.sessionId);
  }
}
