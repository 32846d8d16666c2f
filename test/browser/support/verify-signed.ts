interface Asic {
  attachFile(order: { container: string; file: string }): Promise<unknown>;
  verifyContainer(path: string, options: { trust: unknown; now: number }): Promise<unknown>;
}

interface Pki {
  readonly Certificate: { parse(der: Buffer): unknown };
  readonly TrustStore: new (roots: readonly unknown[]) => unknown;
}

/** In variables, so that the compiler does not read the libraries: they are written for Node's types, and this suite has a browser's too. */
const LIBS = { asic: '#signatures/asic', pki: '#signatures/pki' };

/** The report of our own verifier on a container, with these certificates (DER) trusted. */
export const verifySigned = async (path: string, ...roots: readonly Buffer[]): Promise<unknown> => {
  const { verifyContainer } = (await import(LIBS.asic)) as Asic;
  const { Certificate, TrustStore } = (await import(LIBS.pki)) as Pki;
  return verifyContainer(path, { trust: new TrustStore(roots.map((root) => Certificate.parse(root))), now: Date.now() });
};

/** Puts a signed file into a container (paths), under the name that was signed. */
export const attachSigned = async (container: string, file: string): Promise<unknown> => {
  const { attachFile } = (await import(LIBS.asic)) as Asic;
  return attachFile({ container, file });
};
