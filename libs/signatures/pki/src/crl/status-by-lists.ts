import type { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import type { RevocationStatus } from '../ocsp/ocsp-response.js';
import { BadCrl, crlIssuer, revokedAtIn, statusIn, type VerifiedCrl, verifyCrl } from './crl.js';

const DAY = 86_400_000;

/** Whether a statement still held at that moment, or was made later. One without an end holds for a day. Epoch milliseconds. */
export const heldAt = (
  { thisUpdate, nextUpdate = thisUpdate + DAY }: { readonly thisUpdate: number; readonly nextUpdate: number | undefined },
  at: number,
): boolean => thisUpdate >= at || at <= nextUpdate;

/** The status of a certificate by the lists of its CA. */
export interface ListedStatus {
  readonly status: 'good' | 'revoked';
  /** The time of the revocation, epoch milliseconds. */
  readonly revokedAt: number | undefined;
  /** The list that says it. */
  readonly list: VerifiedCrl;
  /** The CA's certificate by whose key the list is signed. */
  readonly issuer: Certificate;
}

interface ListTerms {
  readonly above: readonly Certificate[];
  readonly at: number;
}

/**
 * The certificate's state by those lists (DER) of its CA that were current at that moment (epoch milliseconds) or made later; undefined when none
 * covers it. `above`: the rest of its chain, its issuer first; a CA that changed its key stands there twice, and either key may sign the lists.
 * Lists that are not valid do not count. One list that says revoked decides, and otherwise the newest one. Throws MalformedDer for a list that names
 * no issuer.
 */
export const listedStatus = (lists: readonly Buffer[], certificate: Certificate, { above, at }: ListTerms): ListedStatus | undefined => {
  const issuers = above.filter(({ subject }) => sameName(subject, certificate.issuer));
  const own = lists.filter((list) => sameName(crlIssuer(list, above), certificate.issuer));
  const statuses = own.flatMap((der) => issuers.flatMap((issuer) => statusByList(der, certificate, { issuer, at })));
  return statuses.find(({ status }) => status === 'revoked') ?? statuses.toSorted((a, b) => b.list.thisUpdate - a.list.thisUpdate)[0];
};

/** The status alone of {@link listedStatus}. */
export const statusByLists = (lists: readonly Buffer[], certificate: Certificate, terms: ListTerms): RevocationStatus | undefined =>
  listedStatus(lists, certificate, terms)?.status;

const statusByList = (
  der: Buffer,
  certificate: Certificate,
  { issuer, at }: { readonly issuer: Certificate; readonly at: number },
): readonly ListedStatus[] => {
  try {
    const list = verifyCrl(der, issuer);
    const status = statusIn(list, certificate);
    // RFC 5280 §3.3: after the end of a revoked certificate, a list may leave it out
    const speaks = heldAt(list, at) && status !== 'unknown' && (status === 'revoked' || list.thisUpdate <= certificate.notAfter);
    return speaks ? [{ status, revokedAt: revokedAtIn(list, certificate), list, issuer }] : [];
  } catch (error) {
    if (error instanceof BadCrl) return [];
    throw error;
  }
};
