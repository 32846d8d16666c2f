import type { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import type { RevocationStatus } from '../ocsp/ocsp-response.js';
import { BadCrl, crlIssuer, statusIn, verifyCrl } from './crl.js';

const DAY = 86_400_000;

/** Whether a statement still held at that moment, or was made later. One without an end holds for a day. Epoch milliseconds. */
export const heldAt = (
  { thisUpdate, nextUpdate = thisUpdate + DAY }: { readonly thisUpdate: number; readonly nextUpdate: number | undefined },
  at: number,
): boolean => thisUpdate >= at || at <= nextUpdate;

/**
 * The certificate's state by those lists (DER) of its CA that were current at that moment (epoch milliseconds); undefined when none speaks
 * about it. `above`: the rest of its chain, its issuer first; a CA that changed its key stands there twice, and either key may sign the lists.
 * Lists that are not valid do not count. Throws MalformedDer for a list that names no issuer.
 */
export const statusByLists = (
  lists: readonly Buffer[],
  certificate: Certificate,
  { above, at }: { readonly above: readonly Certificate[]; readonly at: number },
): RevocationStatus | undefined => {
  const issuers = above.filter(({ subject }) => sameName(subject, certificate.issuer));
  const own = lists.filter((list) => sameName(crlIssuer(list), certificate.issuer));
  const statuses = own.flatMap((der) => issuers.map((issuer) => statusByList(der, certificate, { issuer, at })));
  return statuses.find((status) => status === 'revoked') ?? statuses.find((status) => status === 'good');
};

const statusByList = (
  der: Buffer,
  certificate: Certificate,
  { issuer, at }: { readonly issuer: Certificate; readonly at: number },
): RevocationStatus => {
  try {
    const crl = verifyCrl(der, issuer);
    return heldAt(crl, at) ? statusIn(crl, certificate) : 'unknown';
  } catch (error) {
    if (error instanceof BadCrl) return 'unknown';
    throw error;
  }
};
