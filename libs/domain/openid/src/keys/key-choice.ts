import { decodeProtectedHeader } from 'jose';

import type { ClientKey } from '#domain/relying-party';

/** Takes the key of a JWT out of those of its maker. */
export type KeyChoice = (keys: readonly ClientKey[]) => ClientKey | undefined;

/** How to find the key that the header names; without a `kid` the only one of its kind. Undefined where no key will do, since the algorithm is none of these. */
export const keyChoiceOf = (jwt: string, algorithms: readonly string[]): KeyChoice | undefined => {
  try {
    const { kid, alg } = decodeProtectedHeader(jwt);
    if (alg === undefined || !algorithms.includes(alg)) return undefined;
    return (keys) => {
      const candidates = keys.filter((key) => key.kty === (alg === 'ES256' ? 'EC' : 'RSA') && (kid === undefined || key.kid === kid));
      return candidates.length === 1 ? candidates[0] : undefined;
    };
  } catch {
    return undefined;
  }
};
