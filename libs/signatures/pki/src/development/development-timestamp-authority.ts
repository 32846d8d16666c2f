import type { Clock, Randomness } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { TrustStore } from '../certificates/trust-store.js';
import { encodeTimeStampRequest, imprintOf, newNonce, type TimeStampRequest } from '../time-stamp/time-stamp-request.js';
import { acceptTimeStampResponse } from '../time-stamp/time-stamp-response.js';
import type { VerifiedTimeStamp } from '../time-stamp/time-stamp-token.js';
import { TimestampAuthority } from '../time-stamp/timestamp-authority.js';
import { answerTimeStamp } from './answer-time-stamp.js';
import type { DevelopmentPki } from './development-pki.js';

/** The time-stamping unit of the development trust service, asked within the process by the same request and checks as a foreign one. */
export class DevelopmentTimestampAuthority extends TimestampAuthority {
  private readonly trust: TrustStore;

  constructor(
    private readonly pki: DevelopmentPki,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
    this.trust = new TrustStore([Certificate.parse(pki.root.certificate)]);
  }

  override async stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    const request: TimeStampRequest = {
      hash: 'sha512',
      imprint: imprintOf('sha512', data),
      nonce: newNonce(this.randomness),
      certificateRequested: true,
    };
    const answer = answerTimeStamp(encodeTimeStampRequest(request), {
      unit: this.pki.timestamping,
      now: this.clock.now(),
      randomness: this.randomness,
    });
    return acceptTimeStampResponse(answer, { request, data, clock: this.clock, trust: this.trust, pool: [] });
  }
}
