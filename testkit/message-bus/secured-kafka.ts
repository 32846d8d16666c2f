import { readFileSync } from 'node:fs';

import { Kafka, logLevel } from 'kafkajs';

import { TestCa } from '#testkit/engine-access/test-ca';

import { reservePorts } from '../processes/reserve-port.ts';
import { KafkaCluster } from '../programs/kafka/cluster.ts';
import type { KafkaAccess, KafkaLogin } from '#engines/message-bus';

/** Users and their passwords; `service` may do everything, the others nothing without an access list. */
const USERS = {
  service: 'service-secret',
  other: 'other-secret',
  'event-relay': 'relay-secret',
  signing: 'signing-secret',
  'webhook-dispatcher': 'webhook-secret',
  timers: 'timers-secret',
  registry: 'registry-secret',
  'session-api': 'session-secret',
  'device-api': 'device-secret',
  operator: 'operator-secret',
};

/** A broker with TLS: users by password on one listener, clients by certificate on another one, and one without either for the test itself. */
export class SecuredKafka {
  private constructor(
    readonly ca: TestCa,
    private readonly cluster: KafkaCluster,
    private readonly ports: readonly [number, number],
  ) {}

  static async start({ expired = false } = {}): Promise<SecuredKafka> {
    const ca = await TestCa.make();
    const { bothFile } = await ca.issue('broker', { expired });
    const [saslPort, mutualTlsPort] = (await reservePorts(2)) as [number, number];
    const superUsers = ['User:service', 'User:CN=service'];
    const secure = { saslPort, mutualTlsPort, caFile: ca.file, bothFile, users: USERS, superUsers };
    const cluster = await KafkaCluster.open({ directory: `${ca.folder}/kafka`, secure });
    await cluster.start();
    for (const [user, password] of Object.entries(USERS)) await ca.write(`${user}.password`, password);
    return new SecuredKafka(ca, cluster, [saslPort, mutualTlsPort]);
  }

  /** Without TLS; may do everything. */
  get plainBrokers(): readonly string[] {
    return this.cluster.brokers;
  }

  /** By password. */
  as(user: keyof typeof USERS, mechanism: KafkaLogin['mechanism'] = 'scram-sha-512') {
    const login = { mechanism, user, passwordFile: `${this.ca.folder}/${user}.password` };
    return { brokers: [`localhost:${this.ports[0]}`], access: { tls: true, caFile: this.ca.file, login } satisfies KafkaAccess };
  }

  /** A plain kafkajs client that logs in by password and repeats no call. */
  client(user: keyof typeof USERS): Kafka {
    const { brokers, access } = this.as(user);
    return new Kafka({
      brokers,
      logLevel: logLevel.NOTHING,
      retry: { retries: 0 },
      ssl: { ca: [readFileSync(access.caFile, 'utf8')] },
      sasl: { mechanism: 'scram-sha-512', username: user, password: USERS[user] },
    });
  }

  /** By certificate. */
  async byCertificate(name: string, options: { readonly expired?: boolean } = {}) {
    const { certFile, keyFile } = await this.ca.issue(name, options);
    return { brokers: [`localhost:${this.ports[1]}`], access: { tls: true, caFile: this.ca.file, certFile, keyFile } satisfies KafkaAccess };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.remove();
    await this.ca[Symbol.asyncDispose]();
  }
}
