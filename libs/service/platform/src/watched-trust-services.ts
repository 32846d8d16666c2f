import {
  type AskTerms,
  type Certificate,
  CertificateAuthority,
  type IssuedCertificate,
  type RevocationEvidence,
  RevocationSource,
  TimestampAuthority,
  type VerifiedTimeStamp,
} from '#signatures/pki';

import type { TrustServiceHealth } from './trust-service-health.js';
import type { TrustServices } from './trust-services.js';

/** The same services. The outcome of each call is noted. */
export const watchedTrustServices = (services: TrustServices, health: TrustServiceHealth): TrustServices => ({
  ...services,
  certificateAuthority: new WatchedCertificateAuthority(services.certificateAuthority, health),
  timestampAuthority: new WatchedTimestampAuthority(services.timestampAuthority, health),
  revocationSource: new WatchedRevocationSource(services.revocationSource, health),
});

class WatchedCertificateAuthority extends CertificateAuthority {
  constructor(
    private readonly authority: CertificateAuthority,
    private readonly health: TrustServiceHealth,
  ) {
    super();
  }

  override issue(request: Parameters<CertificateAuthority['issue']>[0]): Promise<IssuedCertificate> {
    return this.health.watch('CA', () => this.authority.issue(request));
  }
}

class WatchedTimestampAuthority extends TimestampAuthority {
  constructor(
    private readonly authority: TimestampAuthority,
    private readonly health: TrustServiceHealth,
  ) {
    super();
  }

  override stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    return this.health.watch('TSA', () => this.authority.stamp(data));
  }
}

class WatchedRevocationSource extends RevocationSource {
  constructor(
    private readonly source: RevocationSource,
    private readonly health: TrustServiceHealth,
  ) {
    super();
  }

  override ask(certificate: Certificate, issuer: Certificate, terms?: AskTerms): Promise<RevocationEvidence> {
    return this.health.watch('OCSP', () => this.source.ask(certificate, issuer, terms));
  }

  override current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    return this.health.watch('OCSP', () => this.source.current(certificate, issuer));
  }
}
