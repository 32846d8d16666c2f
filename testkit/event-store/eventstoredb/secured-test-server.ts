import 'reflect-metadata';

import { KeyObject, webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

import type { EventStoreDbAccess } from '#engines/event-store';
import type { Users } from './grpc-test-server/access.js';
import type { Dialect } from './grpc-test-server/dialect.js';
import { SpawnedTestServer } from './spawned-test-server.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

/** As a new EventStoreDB has them, and a plain user. */
const USERS = {
  admin: { password: 'changeit', groups: ['$admins'] },
  ops: { password: 'changeit', groups: ['$ops'] },
  app: { password: 'app secret', groups: ['services'] },
} as const satisfies Users;

/** The gRPC test server over TLS, with users. */
export class SecuredTestServer {
  private constructor(
    readonly server: SpawnedTestServer,
    private readonly folder: string,
  ) {}

  static async start(dialect: Dialect = '23.10'): Promise<SecuredTestServer> {
    const folder = await mkdtemp(join(tmpdir(), 'grpc-test-server-tls-'));
    const file = (name: string): string => join(folder, name);
    const { certificate, key } = await selfSigned();
    await writeFile(file('certificate.pem'), certificate);
    await writeFile(file('key.pem'), key);
    await writeFile(file('users.json'), JSON.stringify(USERS));
    for (const [user, { password }] of Object.entries(USERS)) await writeFile(file(`${user}.password`), `${password}\n`);
    const options = ['--dialect', dialect, '--tls-certificate', file('certificate.pem'), '--tls-key', file('key.pem'), '--users', file('users.json')];
    return new SecuredTestServer(await SpawnedTestServer.start(...options), folder);
  }

  /** For a user, with the right password unless another is given; for none without a name. */
  connectionString(user?: keyof typeof USERS, password?: string): string {
    const credentials = user ? `${user}:${encodeURIComponent(password ?? USERS[user].password)}@` : '';
    return `esdb://${credentials}localhost:${this.server.port}?tls=true&tlsCAFile=${join(this.folder, 'certificate.pem')}`;
  }

  /** The same access, but the password and the CA are in files. */
  byFiles(user: keyof typeof USERS) {
    const access: EventStoreDbAccess = { passwordFile: join(this.folder, `${user}.password`), caFile: join(this.folder, 'certificate.pem') };
    return { connectionString: `esdb://${user}@localhost:${this.server.port}`, access };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true });
  }
}

const selfSigned = async (): Promise<{ certificate: string; key: string }> => {
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=gRPC test server',
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + DAY),
  });
  return { certificate: certificate.toString('pem'), key: KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' }) as string };
};
