import 'reflect-metadata';

import { KeyObject, webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

/** The type of the global Web Crypto, which the types for browsers declare differently. */
type Keys = NonNullable<Parameters<typeof X509CertificateGenerator.createSelfSigned>[0]['keys']>;

export interface IssuedCertificate {
  /** Paths of PEM files. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificate and key in one file, as Kafka wants them. */
  readonly bothFile: string;
}

/** A CA for the servers of tests and for clients that log in by certificate. Its certificates are valid for days; its files have a folder of their own. */
export class TestCa {
  #serial = 1;

  private constructor(
    readonly folder: string,
    private readonly certificate: X509Certificate,
    private readonly keys: Keys,
  ) {}

  static async make(): Promise<TestCa> {
    const folder = await mkdtemp(join(tmpdir(), 'test-ca-'));
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Test CA',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
      ...lifetime(false),
    });
    const ca = new TestCa(folder, certificate, keys);
    await writeFile(ca.file, certificate.toString('pem'));
    return ca;
  }

  /** The path of the CA's certificate. */
  get file(): string {
    return join(this.folder, 'ca.pem');
  }

  /** Issues a certificate for this machine and `names`; `expired`: one that ended yesterday. Overwrites the files of an earlier certificate of `name`. */
  async issue(name: string, { expired = false, names = [] as readonly string[] } = {}): Promise<IssuedCertificate> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: `0${this.#serial++}`.slice(-2),
      subject: `CN=${name}`,
      issuer: this.certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
          ...names.map((value) => ({ type: 'dns' as const, value })),
        ]),
      ],
      ...lifetime(expired),
    });
    const files = ['certFile', 'keyFile', 'bothFile'].map((kind) => join(this.folder, `${name}.${kind}.pem`)) as [string, string, string];
    const [certFile, keyFile, bothFile] = files;
    const key = KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' }) as string;
    await writeFile(certFile, `${certificate.toString('pem')}\n`);
    await writeFile(keyFile, key);
    await writeFile(bothFile, `${key}${certificate.toString('pem')}\n`);
    return { certFile, keyFile, bothFile };
  }

  /** Writes a file beside the certificates, such as one with a password, and answers its path. */
  async write(name: string, content: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

const newKeys = async (): Promise<Keys> => (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as Keys;

const lifetime = (expired: boolean) => {
  const now = Date.now();
  return { notBefore: new Date(now - 2 * DAY), notAfter: new Date(now + (expired ? -DAY : DAY)) };
};
