/** The addresses of a development trust service, as its certificates name them. */
export interface TrustServiceAddresses {
  readonly ocsp: string;
  readonly timestamping: string;
  readonly rootCertificate: string;
  readonly rootCrl: string;
  readonly issuingCertificate: string;
}

/** The addresses under `{BASE_URL}/pki`. */
export const trustServiceAddresses = (baseUrl: string): TrustServiceAddresses => {
  const at = (path: string): string => `${baseUrl.replace(/\/+$/, '')}/pki/${path}`;
  return {
    ocsp: at('ocsp'),
    timestamping: at('tsa'),
    rootCertificate: at('root.cer'),
    rootCrl: at('root.crl'),
    issuingCertificate: at('issuing.cer'),
  };
};
