import { readFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

import { EventStoreUnavailable } from '../event-store.js';

/** Of a user in `$ops` or `$admins`. */
export interface OperatorCredentials {
  readonly username: string;
  readonly password: string;
}

export interface ClusterNode {
  /** `address:port` of its HTTP interface. */
  readonly host: string;
  readonly leads: boolean;
  readonly isAlive: boolean;
}

/** A node refused to scavenge, or its scavenge failed. The message names the node and the remedy. */
export class ScavengeFailed extends Error {
  override readonly name = 'ScavengeFailed';
}

/** Milliseconds for one request. */
const TIMEOUT = 10_000;

/** The HTTP interface of EventStoreDB for operators, of the nodes that a connection string names. */
export class AdminInterface {
  private constructor(
    readonly seeds: readonly string[],
    private readonly tls: { readonly ca?: Buffer } | undefined,
    private readonly credentials: OperatorCredentials | undefined,
  ) {}

  /** Reads the CA file that the connection string names. Throws a TypeError when the string is none of EventStoreDB. */
  static async of(connectionString: string, credentials?: OperatorCredentials): Promise<AdminInterface> {
    const [, hosts, query = ''] = /^esdb(?:\+discover)?:\/\/(?:[^@/]*@)?([^/?]+)\/?(?:\?(.*))?$/i.exec(connectionString) ?? [];
    if (hosts === undefined) throw new TypeError('this is no connection string of EventStoreDB, such as esdb://host:2113?tls=false');
    const options = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));
    const caFile = options.get('tlscafile');
    const tls = options.get('tls') === 'false' ? undefined : { ...(caFile !== undefined && { ca: await readFile(caFile) }) };
    return new AdminInterface(
      hosts.split(',').map((host) => (host.includes(':') ? host : `${host}:2113`)),
      tls,
      credentials,
    );
  }

  /** All nodes of the cluster, as the first seed that answers tells them. Throws {@link EventStoreUnavailable}. */
  async nodes(): Promise<readonly ClusterNode[]> {
    let failure: unknown;
    for (const seed of this.seeds) {
      try {
        const { body } = await this.send(seed, 'GET', '/gossip');
        const { members } = body as { members: { state: string; isAlive: boolean; httpEndPointIp: string; httpEndPointPort: number }[] };
        return members.map(({ state, isAlive, httpEndPointIp, httpEndPointPort }) => ({
          // A node without a cluster may advertise an address that only it can reach.
          host: members.length === 1 ? seed : `${httpEndPointIp}:${httpEndPointPort}`,
          leads: state === 'Leader',
          isAlive,
        }));
      } catch (error) {
        failure = error;
      }
    }
    throw failure instanceof EventStoreUnavailable
      ? failure
      : new EventStoreUnavailable(`no node of EventStoreDB tells its cluster: ${String(failure)}`);
  }

  /** Answers the status and the JSON of the body. Throws {@link EventStoreUnavailable} when the node does not answer. */
  send(host: string, method: 'GET' | 'POST', path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const headers = {
      'content-length': 0,
      // Some of the routes answer text to a request that does not ask for JSON.
      accept: 'application/json',
      ...(this.credentials && {
        authorization: `Basic ${Buffer.from(`${this.credentials.username}:${this.credentials.password}`).toString('base64')}`,
      }),
    };
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(new EventStoreUnavailable(`${host} does not answer: ${error.message}`));
      const url = `${this.tls ? 'https' : 'http'}://${host}${path}`;
      const options = { method, headers, timeout: TIMEOUT, agent: false } as const;
      const request = this.tls ? requestTls(url, { ...options, ...this.tls }) : requestPlain(url, options);
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', fail);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('error', fail);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString()) }));
      });
      request.end();
    });
  }
}

/** The text itself when it is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
