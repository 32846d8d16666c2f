import {
  type Certificate,
  encode,
  type RevocationEvidence,
  revocationInfo,
  type RevocationSource,
  type TimestampAuthority,
  type VerifiedTimeStamp,
  withIssuers,
  withValidationData,
} from '#signatures/pki';

import { CertificateNotGood } from '../collect-evidence.js';
import { type ArchivedContents, type ArchiveTimeStamp, writeArchiveManifest } from './archive-manifest.js';

/** Makes archive time-stamps, which extend the proof of a container: the last one still proves it after the earlier certificates and algorithms have ended. */
export class ArchiveStamper {
  constructor(
    private readonly timestampAuthority: TimestampAuthority,
    private readonly revocationSource: RevocationSource,
  ) {}

  /**
   * A time-stamp over all of the contents, with the certificates and the revocation data of its own unit. Each call buys one. Throws
   * {@link CertificateNotGood}, ServiceUnavailable.
   */
  async stamp(contents: ArchivedContents): Promise<ArchiveTimeStamp> {
    return this.prove(contents, await this.buy(contents));
  }

  /** The time-stamp alone. Each call buys one: keep it over retries, together with the contents. Throws ServiceUnavailable. */
  async buy(contents: ArchivedContents): Promise<VerifiedTimeStamp> {
    return this.timestampAuthority.stamp(writeArchiveManifest(contents));
  }

  /** The time-stamp that was bought over these contents, with the certificates and the revocation data. Throws as {@link stamp}. */
  async prove(contents: ArchivedContents, timeStamp: VerifiedTimeStamp): Promise<ArchiveTimeStamp> {
    return { manifest: writeArchiveManifest(contents), token: await this.withProof(timeStamp) };
  }

  /**
   * The token with the chain of its unit, and with the present statements of the authorities about the certificates of the chain. `kept`: earlier
   * statements that stay in the token (complete RevocationInfoChoices). Throws {@link CertificateNotGood}, ServiceUnavailable.
   */
  async withProof({ token, chain }: Pick<VerifiedTimeStamp, 'token' | 'chain'>, kept: readonly Buffer[] = []): Promise<Buffer> {
    const revocation = await Promise.all(withIssuers(chain).map(([certificate, issuer]) => this.#current(certificate, issuer)));
    return withValidationData(token, { certificates: chain, crls: [...kept, ...revocationInfo(revocation).map(encode)] });
  }

  async #current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const statement = await this.revocationSource.current(certificate, issuer);
    if (statement.status !== 'good') throw new CertificateNotGood(statement.status);
    return statement;
  }
}
