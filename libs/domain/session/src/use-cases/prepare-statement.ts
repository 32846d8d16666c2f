import { prepareSignature } from '#signatures/asic';
import { type Clock, epochSeconds, type Randomness, type SessionId, sha256Base64url } from '#kernel';
import type { Device, ReadSigningCertificate } from '#domain/identity';

import { type AuthenticationStatement, documentsOf, type SealedScan, type SealedTerms, type SigningStatement } from '../domain/sealed-terms.js';
import type { SessionTerms } from '../domain/session.events.js';
import type { CheckSigner } from './check-signer.js';

export interface Statement {
  readonly scan: SealedScan;
  /** SIGNING. It is stored with the result. */
  readonly signing?: SigningStatement;
  /** SIGNING: base64url of the SHA-256 of the signing certificate. */
  readonly certificateHash?: string;
}

export interface StatementInput {
  readonly sessionId: SessionId;
  readonly terms: SessionTerms;
  readonly texts: SealedTerms;
  readonly relyingPartyName: string;
  readonly device: Device;
}

/** Prepares the values that a device shows and signs. Once for each scan: a second statement would have another challenge or signing time. */
export class PrepareStatement {
  constructor(
    private readonly readSigningCertificate: ReadSigningCertificate,
    private readonly checkSigner: CheckSigner,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async execute(input: StatementInput): Promise<Statement> {
    return input.terms.signatureType === 'SIGNING' ? this.#signature(input) : this.#authentication(input);
  }

  #authentication({ sessionId, terms, texts: { title, details, changeDigest }, relyingPartyName }: StatementInput): Statement {
    const statement: AuthenticationStatement = {
      sessionId,
      clientId: terms.clientId,
      relyingPartyName,
      ...(title !== undefined && { title }),
      ...(terms.requested && { requested: terms.requested }),
      ...(details !== undefined && { details }),
      ...(changeDigest !== undefined && { changeDigest }),
      challenge: this.randomness.bytes(32).toString('base64url'),
      expiresAt: epochSeconds(terms.expiresAt),
    };
    const toBeSigned = Buffer.from(JSON.stringify(statement)).toString('base64');
    return { scan: { relyingPartyName, toBeSigned, signatureAlgorithm: 'ES256' } };
  }

  /** The CAdES signed attributes over the manifest that names the client's documents, the client and the title (specification/app.md#what-the-phone-signs). */
  async #signature({ terms, texts, relyingPartyName, device }: StatementInput): Promise<Statement> {
    const { title } = texts;
    const { certificate, chain } = await this.readSigningCertificate.execute(device);
    const signingTime = epochSeconds(this.clock.now()) * 1000;
    await this.checkSigner.execute({ certificate, chain }, { from: signingTime, until: terms.expiresAt });
    const { manifest, toBeSigned, algorithm } = prepareSignature({
      documents: documentsOf(texts).map(({ name, hash }) => ({ name, hash: Buffer.from(hash, 'hex') })),
      request: { relyingParty: relyingPartyName, ...(title !== undefined && { title }) },
      certificate,
      signingTime,
    });
    return {
      certificateHash: sha256Base64url(certificate),
      scan: { relyingPartyName, signatureAlgorithm: algorithm },
      signing: { toBeSigned: toBeSigned.toString('base64'), manifest: manifest.toString('base64'), signingTime },
    };
  }
}
