import type { KeyObject } from 'node:crypto';

/** How long an algorithm or a key length is accepted. */
interface Strength {
  /** Epoch milliseconds: too weak from then on. Absent: no end is set. */
  readonly until?: number;
}

const LEGACY_END = Date.UTC(2029, 0, 1);

/** ETSI TS 119 312 V1.5.1 §8: named curves, by OpenSSL's names. */
const CURVES: Readonly<Record<string, Strength>> = {
  prime256v1: {},
  secp384r1: {},
  secp521r1: {},
  brainpoolP256r1: {},
  brainpoolP384r1: {},
  brainpoolP512r1: {},
};

/** ETSI TS 119 312 V1.5.1 §8: the shortest RSA moduli, in bits, longest first. */
const RSA: readonly (Strength & { readonly bits: number })[] = [{ bits: 3000 }, { bits: 1900, until: LEGACY_END }];

/** ETSI TS 119 312 V1.5.1 §6: schemes of signatures, each with one of the hashes SHA-256, SHA-384 and SHA-512, which have no end. */
const SCHEMES: Readonly<Record<SchemeName, Strength>> = { ecdsa: {}, 'rsa-pss': {}, 'rsa-pkcs1': { until: LEGACY_END } };

export type SchemeName = 'ecdsa' | 'rsa-pss' | 'rsa-pkcs1';

/** Until when a signature by that key is acceptable (epoch milliseconds), by ETSI TS 119 312. `Infinity`: no end is set; `-Infinity`: never acceptable. */
export const keyStrongUntil = (key: KeyObject): number => {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const isRsa = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss';
  const strength = isRsa ? RSA.find(({ bits }) => modulusLength >= bits) : key.asymmetricKeyType === 'ec' ? CURVES[namedCurve] : undefined;
  return strength ? (strength.until ?? Infinity) : -Infinity;
};

/** Until when a signature of that scheme is acceptable (epoch milliseconds), by ETSI TS 119 312. `Infinity`: no end is set. */
export const schemeStrongUntil = (scheme: SchemeName): number => SCHEMES[scheme].until ?? Infinity;
