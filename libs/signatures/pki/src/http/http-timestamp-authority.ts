import { type Clock, type Pause, pause as systemPause, type Randomness } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import type { TrustStore } from '../certificates/trust-store.js';
import type { HashName } from '../cms/signature-scheme.js';
import { encodeTimeStampRequest, imprintOf, MAX_TIME_STAMP_BYTES, newNonce, type TimeStampRequest } from '../time-stamp/time-stamp-request.js';
import { acceptTimeStampResponse } from '../time-stamp/time-stamp-response.js';
import { BadTimeStamp, type VerifiedTimeStamp } from '../time-stamp/time-stamp-token.js';
import { TimestampAuthority } from '../time-stamp/timestamp-authority.js';
import { firstGoodAnswer } from './attempts.js';
import { type ClientCredentials, type Egress, exchange } from './exchange.js';

export interface TimestampServer {
  readonly url: string;
  readonly credentials?: ClientCredentials | undefined;
  /** Object identifier of the policy to ask for; absent: the server's own. */
  readonly policy?: string | undefined;
}

export interface TimestampSettings {
  /** Asked in this order. */
  readonly servers: readonly TimestampServer[];
  readonly trust: TrustStore;
  /** The units' issuers: real authorities often send their unit's certificate only. */
  readonly issuers: readonly Certificate[];
  readonly hash?: HashName;
  /** Milliseconds a call. Default 5 s. */
  readonly timeout?: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly pause?: Pause;
  readonly egress?: Egress | undefined;
}

const TIMEOUT = 5000;

/** Time-stamping authorities over HTTP (RFC 3161 §3.4): a temporary failure gets a second try, then the next one on the list is asked. */
export class HttpTimestampAuthority extends TimestampAuthority {
  constructor(private readonly settings: TimestampSettings) {
    super();
  }

  override stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    const { servers, randomness, pause = systemPause } = this.settings;
    return firstGoodAnswer(servers, (server) => this.ask(server, data), { randomness, pause, isBadAnswer: (error) => error instanceof BadTimeStamp });
  }

  private async ask({ url, credentials, policy }: TimestampServer, data: Buffer): Promise<VerifiedTimeStamp> {
    const { hash = 'sha512', timeout = TIMEOUT, clock, trust, issuers, randomness, egress } = this.settings;
    const request: TimeStampRequest = { hash, imprint: imprintOf(hash, data), policy, nonce: newNonce(randomness), certificateRequested: true };
    const answer = await exchange({
      url,
      credentials,
      egress,
      timeout,
      body: encodeTimeStampRequest(request),
      contentType: 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      limit: MAX_TIME_STAMP_BYTES,
    });
    return acceptTimeStampResponse(answer, { request, data, clock, trust, pool: issuers });
  }
}
