export interface TrustServices extends AsyncDisposable {
  /** The settings of a service that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The root's certificate (PEM). */
  readonly rootFile: string;
  /** The number of certificates that were issued. */
  readonly issued: () => number;
}

/** In a variable, so that the compiler does not read the library: it is written for Node's types, and this suite has a browser's too. */
const PKI = '#pki/testing';

/** Trust services of another house, by OpenSSL's programs alone, with their files in this folder. */
export const startTrustServices = async (folder: string): Promise<TrustServices> => {
  const { startOpensslTrustServices } = (await import(PKI)) as { startOpensslTrustServices(folder: string): Promise<TrustServices> };
  return startOpensslTrustServices(folder);
};
