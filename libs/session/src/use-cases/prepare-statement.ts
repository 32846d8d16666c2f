import { prepareSignature } from '#asic';
import { type Clock, epochSeconds, type Randomness, type SessionId, sha256Base64url } from '#kernel';
import type { Device, ReadSigningCertificate } from '#identity';

import type { AuthenticationStatement, SealedScan, SealedTerms } from '../domain/sealed-terms.js';
import type { Terms } from '../domain/session.js';

export interface Statement {
  readonly scan: SealedScan;
  /** SIGNING: base64url of the SHA-256 of the certificate that will sign. */
  readonly certificateHash?: string;
}

export interface StatementTerms {
  readonly sessionId: SessionId;
  readonly terms: Terms;
  readonly texts: SealedTerms;
  readonly relyingPartyName: string;
  readonly device: Device;
}

/** What a device shows and signs. Made once for each scan: two tries would have two challenges, or two signing times. */
export class PrepareStatement {
  constructor(
    private readonly readSigningCertificate: ReadSigningCertificate,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async execute(about: StatementTerms): Promise<Statement> {
    return about.terms.signatureType === 'SIGNING' ? this.#signature(about) : this.#authentication(about);
  }

  #authentication({ sessionId, terms, texts: { title }, relyingPartyName }: StatementTerms): Statement {
    const statement: AuthenticationStatement = {
      sessionId,
      clientId: terms.clientId,
      relyingPartyName,
      ...(title !== undefined && { title }),
      ...(terms.requested && { requested: terms.requested }),
      challenge: this.randomness.bytes(32).toString('base64url'),
      expiresAt: epochSeconds(terms.expiresAt),
    };
    const toBeSigned = Buffer.from(JSON.stringify(statement)).toString('base64');
    return { scan: { relyingPartyName, toBeSigned, signatureAlgorithm: 'ES256' } };
  }

  /** The CAdES signed attributes over the manifest that names the client's data (api-extensions 4). */
  async #signature({ texts, relyingPartyName, device }: StatementTerms): Promise<Statement> {
    const { signedDataHash, signedDataName } = texts;
    const { certificate } = await this.readSigningCertificate.execute(device);
    if (signedDataHash === undefined || signedDataName === undefined) throw new Error('a SIGNING session names its data');
    const signingTime = epochSeconds(this.clock.now()) * 1000;
    const { manifest, toBeSigned, algorithm } = prepareSignature({
      signedDataName,
      signedDataHash: Buffer.from(signedDataHash, 'hex'),
      certificate,
      signingTime,
    });
    return {
      certificateHash: sha256Base64url(certificate),
      scan: {
        relyingPartyName,
        toBeSigned: toBeSigned.toString('base64'),
        signatureAlgorithm: algorithm,
        manifest: manifest.toString('base64'),
        signingTime,
      },
    };
  }
}
