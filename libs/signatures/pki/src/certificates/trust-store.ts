import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import { alternativeNames, hasSubject } from './general-names.js';
import { namesHold } from './name-constraints.js';
import { onceForCertificate } from './once-for-certificate.js';
import { ANY_TERMS, policiesHold, type PolicyTerms } from './policies.js';
import { sameName } from './same-name.js';

/** Why a chain that would otherwise lead on ends: one of its certificates is not valid at that moment, or signed by something too weak. */
export type Obstacle = 'expired' | 'weak';

/** No chain leads from the certificate to a trusted root. */
export class Untrusted extends Error {
  constructor(readonly obstacle: Obstacle | undefined) {
    super('no valid chain to a trusted root');
    this.name = 'Untrusted';
  }
}

/** The critical extensions that a chain check supports; any other makes a certificate unusable (RFC 5280 §4.2). */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.basicConstraints,
  OID.extKeyUsage,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.inhibitAnyPolicy,
  OID.crlDistributionPoints,
  OID.nameConstraints,
  OID.subjectAltName,
]);

const MAX_CHAIN = 6;
// certificates that issue each other in circles must not cost more than a look at them
const MAX_STEPS = 200;

interface Search {
  readonly pool: readonly Certificate[];
  readonly at: number;
  readonly policies: PolicyTerms;
  steps: number;
  obstacle?: Obstacle;
}

/** The roots that a user of this library trusts, apart from TLS trust and never the system's. */
export class TrustStore {
  constructor(readonly anchors: readonly Certificate[]) {}

  /**
   * The chain from the certificate to a trusted root, both included, every one valid and of a strong key at that moment (epoch
   * milliseconds), and their policies and names fitting together. `pool` holds intermediates from anywhere. Throws {@link Untrusted}.
   */
  chain(leaf: Certificate, pool: readonly Certificate[], at: number, policies = ANY_TERMS): readonly Certificate[] {
    const search: Search = { pool: [...this.anchors, ...pool], at, policies, steps: MAX_STEPS };
    const chain = this.extend([leaf], search);
    if (!chain) throw new Untrusted(search.obstacle);
    return chain;
  }

  private extend(chain: readonly Certificate[], search: Search): readonly Certificate[] | undefined {
    const last = chain.at(-1);
    search.steps -= 1;
    if (search.steps < 0 || !last || !isUnderstood(last)) return undefined;
    const isAnchor = this.anchors.some((anchor) => anchor.equals(last));
    const obstacle = obstacleIn(last, isAnchor, search.at);
    if (obstacle) {
      search.obstacle = obstacle;
      return undefined;
    }
    if (isAnchor) return policiesHold(chain, search.policies) && namesHold(chain) ? chain : undefined;
    if (chain.length === MAX_CHAIN) return undefined;
    for (const issuer of search.pool) {
      if (chain.some((member) => member.equals(issuer)) || !this.mayHaveIssued(issuer, chain)) continue;
      const found = this.extend([...chain, issuer], search);
      if (found) return found;
    }
    return undefined;
  }

  private mayHaveIssued(issuer: Certificate, chain: readonly Certificate[]): boolean {
    const last = chain.at(-1);
    if (!last || !sameName(last.issuer, issuer.subject) || !issuer.isCa) return false;
    if (issuer.keyUsage && !issuer.keyUsage.has('keyCertSign')) return false;
    // RFC 5280 §4.2.1.9: the leaf does not count, nor do self-issued certificates
    const below = chain.slice(1).filter((one) => !one.selfIssued).length;
    return below <= (issuer.pathLength ?? MAX_CHAIN) && last.isSignedBy(issuer);
  }
}

/** A trusted root's own signature proves nothing and is not looked at. */
const obstacleIn = (certificate: Certificate, isAnchor: boolean, at: number): Obstacle | undefined => {
  if (!certificate.isValidAt(at)) return 'expired';
  return certificate.hasStrongKey(at) && (isAnchor || certificate.hasStrongSignature(at)) ? undefined : 'weak';
};

const isUnderstood = onceForCertificate(
  (certificate): boolean => [...certificate.extensions].every(([type, { critical }]) => !critical || UNDERSTOOD.has(type)) && isNamed(certificate),
);

/** RFC 5280 §4.1.2.6: a CA has a distinguished name; the names of another certificate may stand in a critical subjectAltName instead. */
const isNamed = (certificate: Certificate): boolean => {
  const alternative = certificate.extensions.get(OID.subjectAltName);
  if (!hasSubject(certificate) && (certificate.isCa || !alternative?.critical)) return false;
  try {
    return !alternative?.critical || alternativeNames(certificate).length > 0;
  } catch (error) {
    if (error instanceof MalformedDer) return false;
    throw error;
  }
};

/** Each certificate of a chain with those above it, its issuer first; the root has none and needs none. */
export const withRest = (chain: readonly Certificate[]): readonly (readonly [Certificate, readonly [Certificate, ...Certificate[]]])[] =>
  withIssuers(chain).map(([certificate, issuer], at) => [certificate, [issuer, ...chain.slice(at + 2)]]);

/** Each certificate of a chain with its issuer; the root has none and needs none. */
export const withIssuers = (chain: readonly Certificate[]): readonly (readonly [Certificate, Certificate])[] =>
  chain.slice(1).map((issuer, at) => [chain[at] as Certificate, issuer]);
