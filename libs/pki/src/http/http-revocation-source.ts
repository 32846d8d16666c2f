import { type Clock, type Randomness, ServiceUnavailable } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import { BadCrl, MAX_CRL_BYTES, statusIn, type VerifiedCrl, verifyCrl } from '../crl/crl.js';
import { certificateId, encodeOcspRequest, MAX_OCSP_BYTES } from '../ocsp/ocsp-request.js';
import { BadOcspResponse, type VerifiedOcspResponse, verifyOcspResponse } from '../ocsp/ocsp-response.js';
import { type RevocationEvidence, RevocationSource } from '../ocsp/revocation-source.js';
import { firstGoodAnswer, type Pause, realPause } from './attempts.js';
import { type ClientCredentials, exchange } from './exchange.js';

export interface RevocationSettings {
  /** Asked about signers instead of the address in their certificates; about other certificates only when they name none. */
  readonly ocspUrl?: string;
  readonly credentials?: ClientCredentials;
  /** Whether a nonce is sent and must come back. Default true; responders that answer from stock cannot do it. */
  readonly nonce?: boolean;
  /** Milliseconds a call. Default 5 s. */
  readonly timeout?: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly pause?: Pause;
}

const TIMEOUT = 5000;
const CLOCK_DIFFERENCE = 60_000;
const MAX_REMEMBERED = 100;

/** OCSP responders and CRLs over HTTP (RFC 6960 §A, RFC 5280 §4.2.1.13). CRLs are kept until their nextUpdate, OCSP responses never. */
export class HttpRevocationSource extends RevocationSource {
  private readonly lists = new Map<string, VerifiedCrl>();

  constructor(private readonly settings: RevocationSettings) {
    super();
  }

  override async ask(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    return this.askOne(this.settings.ocspUrl ?? certificate.ocspUrl, certificate, issuer);
  }

  override async current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    if (!certificate.crlUrl) return this.askOne(certificate.ocspUrl ?? this.settings.ocspUrl, certificate, issuer);
    const list = await this.currentList(certificate.crlUrl, issuer);
    return { type: 'crl', der: list.crl, status: statusIn(list, certificate), producedAt: list.thisUpdate };
  }

  private async askOne(url: string | undefined, certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const { response, status, producedAt } = await this.attempt(url, (address) => this.askResponder(address, certificate, issuer));
    return { type: 'ocsp', der: response, status, producedAt };
  }

  private async askResponder(url: string, certificate: Certificate, issuer: Certificate): Promise<VerifiedOcspResponse> {
    const { nonce: wanted = true, randomness, credentials } = this.settings;
    const nonce = wanted ? randomness.bytes(32) : undefined;
    const answer = await exchange({
      url,
      credentials,
      timeout: this.timeout,
      body: encodeOcspRequest(certificateId(certificate.serial, issuer), nonce),
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
      limit: MAX_OCSP_BYTES,
    });
    const verified = verifyOcspResponse(answer, { certificate, issuer, nonce });
    this.checkFreshness(verified);
    return verified;
  }

  private checkFreshness({ producedAt, thisUpdate, nextUpdate }: VerifiedOcspResponse): void {
    const now = this.settings.clock.now();
    if (Math.abs(now - producedAt) > CLOCK_DIFFERENCE) throw new BadOcspResponse('the response was not made now');
    if (thisUpdate > now + CLOCK_DIFFERENCE || (nextUpdate !== undefined && nextUpdate < now))
      throw new BadOcspResponse('the response does not hold now');
  }

  private async currentList(url: string, issuer: Certificate): Promise<VerifiedCrl> {
    const now = this.settings.clock.now();
    const known = this.lists.get(issuer.fingerprint);
    if (known && now < known.nextUpdate) return known;
    const list = await this.attempt(url, async (address) => {
      const fetched = verifyCrl(await exchange({ url: address, timeout: this.timeout, limit: MAX_CRL_BYTES }), issuer);
      if (fetched.thisUpdate > now + CLOCK_DIFFERENCE || fetched.nextUpdate <= now) throw new BadCrl('the CRL does not hold now');
      return fetched;
    });
    if (this.lists.size >= MAX_REMEMBERED) this.lists.clear();
    this.lists.set(issuer.fingerprint, list);
    return list;
  }

  private attempt<Answer>(url: string | undefined, ask: (url: string) => Promise<Answer>): Promise<Answer> {
    if (!url || !/^https?:\/\//.test(url)) throw new ServiceUnavailable('the certificate names no responder, and none is configured');
    const { randomness, pause = realPause } = this.settings;
    const isBadAnswer = (error: unknown): boolean => error instanceof BadOcspResponse || error instanceof BadCrl;
    return firstGoodAnswer([url], ask, { randomness, pause, isBadAnswer });
  }

  private get timeout(): number {
    return this.settings.timeout ?? TIMEOUT;
  }
}
