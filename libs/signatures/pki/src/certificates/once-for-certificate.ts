import type { Certificate } from './certificate.js';

/** The same function, called once for each certificate: what a certificate says does not change. An error is not remembered. */
export const onceForCertificate = <T>(read: (certificate: Certificate) => T): ((certificate: Certificate) => T) => {
  const known = new WeakMap<Certificate, { readonly value: T }>();
  return (certificate) => {
    const found = known.get(certificate);
    if (found) return found.value;
    const value = read(certificate);
    known.set(certificate, { value });
    return value;
  };
};
