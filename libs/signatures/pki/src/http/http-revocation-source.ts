import { type Clock, type Randomness, RecentlyUsed, ServiceUnavailable } from '#kernel';

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
  /** For `ocspUrl` alone: a certificate may name any other address. */
  readonly credentials?: ClientCredentials | undefined;
  /** Whether a nonce is sent and must be in the answer. Default true; responders with answers made in advance cannot repeat it. */
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

/**
 * OCSP responders and CRLs over HTTP (RFC 6960 §A, RFC 5280 §4.2.1.13). CRLs about the trust service are kept until their nextUpdate, statements
 * about signers never. While the responder of a signer gives no usable answer, its CRL is fetched, and the other way round for the trust service.
 */
export class HttpRevocationSource extends RevocationSource {
  private readonly lists = new RecentlyUsed<string, VerifiedCrl>(MAX_REMEMBERED);

  constructor(private readonly settings: RevocationSettings) {
    super();
  }

  override async ask(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const { crlUrl } = certificate;
    const ocspUrl = this.settings.ocspUrl ?? certificate.ocspUrl;
    // each call fetches the list, since an authority may publish one before the last one ends
    const byList = crlUrl ? async () => listed(await this.fetchList(crlUrl, issuer), certificate) : undefined;
    if (!ocspUrl && byList) return byList();
    return orElse(() => this.askOne(ocspUrl, certificate, issuer), byList);
  }

  override async current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const { crlUrl, ocspUrl } = certificate;
    if (!crlUrl) return this.askOne(ocspUrl ?? this.settings.ocspUrl, certificate, issuer);
    const byResponder = ocspUrl ? () => this.askOne(ocspUrl, certificate, issuer) : undefined;
    return orElse(async () => listed(await this.currentList(crlUrl, issuer), certificate), byResponder);
  }

  private async askOne(url: string | undefined, certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const { response, status, producedAt } = await this.attempt(url, (address) => this.askResponder(address, certificate, issuer));
    return { type: 'ocsp', der: response, status, producedAt };
  }

  private async askResponder(url: string, certificate: Certificate, issuer: Certificate): Promise<VerifiedOcspResponse> {
    const { nonce: wanted = true, randomness, ocspUrl } = this.settings;
    const credentials = url === ocspUrl ? this.settings.credentials : undefined;
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
    const known = this.lists.get(issuer.fingerprint);
    if (known && this.settings.clock.now() < known.nextUpdate) return known;
    const list = await this.fetchList(url, issuer);
    this.lists.set(issuer.fingerprint, list);
    return list;
  }

  private fetchList(url: string, issuer: Certificate): Promise<VerifiedCrl> {
    return this.attempt(url, async (address) => {
      const fetched = verifyCrl(await exchange({ url: address, timeout: this.timeout, limit: MAX_CRL_BYTES }), issuer);
      const now = this.settings.clock.now();
      if (fetched.thisUpdate > now + CLOCK_DIFFERENCE || fetched.nextUpdate <= now) throw new BadCrl('the CRL does not hold now');
      return fetched;
    });
  }

  private attempt<Answer>(url: string | undefined, ask: (url: string) => Promise<Answer>): Promise<Answer> {
    if (!url || !/^https?:\/\//.test(url))
      throw new ServiceUnavailable('the certificate names neither a responder nor a list, and no responder is configured');
    const { randomness, pause = realPause } = this.settings;
    const isBadAnswer = (error: unknown): boolean => error instanceof BadOcspResponse || error instanceof BadCrl;
    return firstGoodAnswer([url], ask, { randomness, pause, isBadAnswer });
  }

  private get timeout(): number {
    return this.settings.timeout ?? TIMEOUT;
  }
}

/** The answer of the second source while the first one gives none. `unknown` of the second does not count: the first one may know the certificate. */
const orElse = async (
  first: () => Promise<RevocationEvidence>,
  second: (() => Promise<RevocationEvidence>) | undefined,
): Promise<RevocationEvidence> => {
  try {
    return await first();
  } catch (error) {
    if (!second || !(error instanceof ServiceUnavailable)) throw error;
    const evidence = await second().catch((other: unknown) => {
      throw other instanceof ServiceUnavailable ? new ServiceUnavailable(`${error.reason}; ${other.reason}`) : other;
    });
    if (evidence.status === 'unknown') throw error;
    return evidence;
  }
};

const listed = (list: VerifiedCrl, certificate: Certificate): RevocationEvidence => ({
  type: 'crl',
  der: list.crl,
  status: statusIn(list, certificate),
  producedAt: list.thisUpdate,
});
