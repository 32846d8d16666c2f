import { type Clock, type Pause, pause as systemPause, type Randomness, RecentlyUsed, ServiceUnavailable } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import { BadCrl, MAX_CRL_BYTES, statusIn, type VerifiedCrl, verifyCrl } from '../crl/crl.js';
import { certificateId, encodeOcspRequest, MAX_OCSP_BYTES } from '../ocsp/ocsp-request.js';
import { BadOcspResponse, type VerifiedOcspResponse, verifyOcspResponse } from '../ocsp/ocsp-response.js';
import { type AskTerms, type RevocationEvidence, RevocationSource } from '../ocsp/revocation-source.js';
import { firstGoodAnswer } from './attempts.js';
import { type ClientCredentials, type Egress, exchange } from './exchange.js';

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
  readonly egress?: Egress | undefined;
}

const TIMEOUT = 5000;
const CLOCK_DIFFERENCE = 60_000;
const MAX_REMEMBERED = 100;
const MAX_CALLS = 3;

interface Asked {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** Whether a response counts that was made earlier and holds. */
  readonly fromStock: boolean;
}

/**
 * OCSP responders and CRLs over HTTP (RFC 6960 §A, RFC 5280 §4.2.1.13). CRLs about the trust service are kept until their nextUpdate, statements
 * about signers never. Of several addresses in a certificate the next one is asked when one gives no usable answer. While the responder of a signer gives no usable answer, its CRL is fetched, and the other way round for the trust service.
 */
export class HttpRevocationSource extends RevocationSource {
  private readonly lists = new RecentlyUsed<string, VerifiedCrl>(MAX_REMEMBERED);

  constructor(private readonly settings: RevocationSettings) {
    super();
  }

  override async ask(certificate: Certificate, issuer: Certificate, { fromStock = false }: AskTerms = {}): Promise<RevocationEvidence> {
    const { ocspUrl } = this.settings;
    const responders = ocspUrl ? [ocspUrl] : certificate.ocspUrls;
    const asked = { certificate, issuer, fromStock };
    // each call fetches the list, since an authority may publish one before the last one ends
    const byList = certificate.crlUrls.length > 0 ? () => this.byLists(asked, (url) => this.fetchList(url, issuer)) : undefined;
    if (responders.length === 0 && byList) return byList();
    return orElse(() => this.byResponders(responders, asked), byList);
  }

  override async current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const { crlUrls, ocspUrls } = certificate;
    const { ocspUrl } = this.settings;
    const asked = { certificate, issuer, fromStock: true };
    if (crlUrls.length === 0) return this.byResponders(ocspUrls.length > 0 || !ocspUrl ? ocspUrls : [ocspUrl], asked);
    const byResponder = ocspUrls.length > 0 ? () => this.byResponders(ocspUrls, asked) : undefined;
    return orElse(() => this.byLists(asked, (url) => this.currentList(url, issuer)), byResponder);
  }

  private async byResponders(urls: readonly string[], asked: Asked): Promise<RevocationEvidence> {
    const { response, status, producedAt } = await this.attempt(urls, (url) => this.askResponder(url, asked));
    return { type: 'ocsp', der: response, status, producedAt };
  }

  /** The first list that speaks about the certificate; the lists of an authority may be of different certificates (RFC 5280 §5.2.5). */
  private async byLists({ certificate }: Asked, listAt: (url: string) => Promise<VerifiedCrl>): Promise<RevocationEvidence> {
    let silent: RevocationEvidence | undefined;
    try {
      return await this.attempt(certificate.crlUrls, async (url) => {
        const evidence = listed(await listAt(url), certificate);
        if (evidence.status !== 'unknown') return evidence;
        silent = evidence;
        throw new BadCrl('the CRL does not speak about the certificate');
      });
    } catch (error) {
      if (silent && error instanceof ServiceUnavailable) return silent;
      throw error;
    }
  }

  private async askResponder(url: string, { certificate, issuer, fromStock }: Asked): Promise<VerifiedOcspResponse> {
    const { nonce: wanted = true, randomness, ocspUrl, egress } = this.settings;
    const credentials = url === ocspUrl ? this.settings.credentials : undefined;
    const nonce = wanted ? randomness.bytes(32) : undefined;
    const answer = await exchange({
      url,
      credentials,
      egress,
      timeout: this.timeout,
      body: encodeOcspRequest(certificateId(certificate.serial, issuer), nonce),
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
      limit: MAX_OCSP_BYTES,
    });
    const verified = verifyOcspResponse(answer, { certificate, issuer, nonce, mayLackNonce: fromStock });
    this.checkFreshness(verified, fromStock);
    return verified;
  }

  private checkFreshness({ producedAt, thisUpdate, nextUpdate }: VerifiedOcspResponse, fromStock: boolean): void {
    const now = this.settings.clock.now();
    const isFromStock = fromStock && nextUpdate !== undefined && producedAt <= now;
    if (!isFromStock && Math.abs(now - producedAt) > CLOCK_DIFFERENCE) throw new BadOcspResponse('the response was not made now');
    if (thisUpdate > now + CLOCK_DIFFERENCE || (nextUpdate !== undefined && nextUpdate < now))
      throw new BadOcspResponse('the response does not hold now');
  }

  private async currentList(url: string, issuer: Certificate): Promise<VerifiedCrl> {
    const key = `${issuer.fingerprint} ${url}`;
    const known = this.lists.get(key);
    if (known && this.settings.clock.now() < known.nextUpdate) return known;
    const list = await this.fetchList(url, issuer);
    this.lists.set(key, list);
    return list;
  }

  private async fetchList(url: string, issuer: Certificate): Promise<VerifiedCrl> {
    const fetched = verifyCrl(await exchange({ url, egress: this.settings.egress, timeout: this.timeout, limit: MAX_CRL_BYTES }), issuer);
    const now = this.settings.clock.now();
    if (fetched.thisUpdate > now + CLOCK_DIFFERENCE || fetched.nextUpdate <= now) throw new BadCrl('the CRL does not hold now');
    return fetched;
  }

  /** Asks the addresses in their order. No attempt begins after the time of {@link MAX_CALLS} calls. */
  private attempt<Answer>(urls: readonly string[], ask: (url: string) => Promise<Answer>): Promise<Answer> {
    if (urls.length === 0) throw new ServiceUnavailable('the certificate names neither a responder nor a list, and no responder is configured');
    const { randomness, clock, pause = systemPause } = this.settings;
    const isBadAnswer = (error: unknown): boolean => error instanceof BadOcspResponse || error instanceof BadCrl;
    const end = clock.now() + MAX_CALLS * this.timeout;
    return firstGoodAnswer(urls, ask, { randomness, pause, isBadAnswer, mayGoOn: () => clock.now() < end });
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
