import 'reflect-metadata';

import { KeyObject, webcrypto } from 'node:crypto';

import { BasicConstraintsExtension, SubjectAlternativeNameExtension, type X509Certificate, X509CertificateGenerator } from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

export interface ServerIdentity {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** A certification authority for the receivers of a drill; the service is told to trust it by NODE_EXTRA_CA_CERTS. */
export class TestAuthority {
  private constructor(
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly certificate: X509Certificate,
  ) {}

  static async found(): Promise<TestAuthority> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Drill authority',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new BasicConstraintsExtension(true, 0, true)],
      ...validFrom(-DAY, DAY),
    });
    return new TestAuthority(keys, certificate);
  }

  get pem(): string {
    return this.certificate.toString('pem');
  }

  /** For a server under that address or name. */
  async issue(host: { readonly ip: string } | { readonly dns: string }, { expired = false } = {}): Promise<ServerIdentity> {
    const keys = await newKeys();
    const [type, value] = 'ip' in host ? (['ip', host.ip] as const) : (['dns', host.dns] as const);
    const certificate = await X509CertificateGenerator.create({
      subject: 'CN=Drill receiver',
      issuer: this.certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [new SubjectAlternativeNameExtension([{ type, value }])],
      ...(expired ? validFrom(-DAY, -DAY / 2) : validFrom(-DAY, DAY)),
    });
    return { key: KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' }) as string, cert: certificate.toString('pem') };
  }
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

const validFrom = (begin: number, end: number) => ({ notBefore: new Date(Date.now() + begin), notAfter: new Date(Date.now() + end) });
