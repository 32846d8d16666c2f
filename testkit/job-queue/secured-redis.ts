import { Redis } from 'ioredis';

import { TestCa } from '#testkit/engine-access/test-ca';

import { reservePort } from '../processes/reserve-port.ts';
import { RedisServer } from '../programs/redis/redis-server.ts';

const USER = 'service';

/** Redis with TLS and an ACL user on one port; the other one, without TLS, is for the test itself. */
export class SecuredRedis {
  private constructor(
    readonly ca: TestCa,
    readonly url: string,
    readonly passwordFile: string,
    private readonly server: RedisServer,
    private readonly admin: Redis,
  ) {}

  static async start(password: string): Promise<SecuredRedis> {
    const ca = await TestCa.make();
    const { certFile, keyFile } = await ca.issue('redis');
    const port = await reservePort();
    const server = await RedisServer.open({
      directory: `${ca.folder}/redis`,
      options: [
        '--tls-port',
        `${port}`,
        '--tls-cert-file',
        certFile,
        '--tls-key-file',
        keyFile,
        '--tls-ca-cert-file',
        ca.file,
        '--tls-auth-clients',
        'no',
      ],
    });
    await server.start();
    const redis = new SecuredRedis(
      ca,
      `rediss://${USER}@localhost:${port}`,
      await ca.write('password', `${password}\n`),
      server,
      new Redis(server.url, { retryStrategy: () => 50 }),
    );
    await redis.setPassword(password);
    return redis;
  }

  /** Runs a command as an administrator. */
  async administer(command: string, ...parameters: readonly string[]): Promise<void> {
    await this.admin.call(command, ...parameters);
  }

  /** The address for another user. */
  urlOf(user: string): string {
    return this.url.replace(`//${USER}@`, `//${user}@`);
  }

  /** Changes the password of the user, who may do everything, and ends the user's connections. */
  async setPassword(password: string): Promise<void> {
    await this.admin.acl('SETUSER', USER, 'on', 'resetpass', `>${password}`, '~*', '&*', '+@all');
    await this.admin.client('KILL', 'USER', USER);
  }

  /** Shows a valid or an expired certificate to new connections. */
  async useCertificate({ expired }: { readonly expired: boolean }): Promise<void> {
    const { certFile, keyFile } = await this.ca.issue(expired ? 'expired' : 'redis', { expired });
    await this.admin.config('SET', 'tls-cert-file', certFile, 'tls-key-file', keyFile);
    await this.admin.client('KILL', 'USER', USER);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.admin.disconnect();
    await this.server.remove();
    await this.ca[Symbol.asyncDispose]();
  }
}
