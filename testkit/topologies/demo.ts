import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';

import type { startDemo as StartDemo } from '../../examples/relying-party/src/index.js';
import { reservePort } from '../processes/reserve-port.ts';
import type { Topology } from './topology.ts';

const NAME = 'Harbour Library';
/** Present after a build only. */
const BUILT_DEMO = resolve(import.meta.dirname, '../../dist/examples/relying-party/src/index.js');

interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The demo relying party, registered as a client of a topology. It runs in this process. */
export class Demo {
  readonly #topology: Topology;
  readonly #adminToken: string;
  #url = '';
  #app: { close(): Promise<void> } | undefined;

  constructor({ topology, adminToken }: { readonly topology: Topology; readonly adminToken: string }) {
    this.#topology = topology;
    this.#adminToken = adminToken;
  }

  /** Its origin; empty before {@link start}. */
  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const port = await reservePort();
    this.#url = `http://localhost:${port}`;
    const { BASE_URL: baseUrl = '', LOGIN_URL: loginUrl = '', APP_URL: appUrl = '' } = this.#topology.settings;
    const { clientId, clientSecret } = await this.#register();
    const file = createWriteStream(join(this.#topology.directory, 'demo.log'), { flags: 'a' });
    const write = (message: string, fields?: object): void => void file.write(`${JSON.stringify({ message, ...fields })}\n`);
    const { startDemo } = (await import(BUILT_DEMO)) as { startDemo: typeof StartDemo };
    this.#app = await startDemo({
      host: '127.0.0.1',
      port,
      origin: this.#url,
      clientId,
      clientSecret,
      name: NAME,
      service: { baseUrl, loginUrl, appUrl, appScheme: 'countersign' },
      log: {
        info: write,
        warn: write,
        error: (message, { error }) => write(message, { error: String(error instanceof Error ? error.stack : error) }),
      },
    });
  }

  async stop(): Promise<void> {
    await this.#app?.close();
  }

  /** An event store that was there before may have a client of the demo's name: that client gets a new secret and the new redirect URI. */
  async #register(): Promise<DemoClient> {
    const terms = {
      redirect_uris: [`${this.#url}/callback`],
      allowed_attributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'country', 'email'],
      allowed_predicates: ['ageOver18', 'ageOver21'],
      verification_code: true,
    };
    const created = await this.#admin('POST', '/clients', { name: NAME, ...terms });
    if (created.status === 201) return (await created.json()) as DemoClient;
    const clientId = await this.#find();
    if (clientId === undefined) throw new Error(`the demo cannot be registered: ${created.status} ${await created.text()}`);
    const path = `/clients/${clientId}`;
    await this.#admin('PATCH', path, terms);
    const { clientSecret } = (await (await this.#admin('POST', `${path}/secret`)).json()) as DemoClient;
    return { clientId, clientSecret };
  }

  async #find(): Promise<string | undefined> {
    for (let after = ''; ;) {
      const answer = await this.#admin('GET', `/clients?limit=100${after && `&after=${encodeURIComponent(after)}`}`);
      const { clients, next } = (await answer.json()) as { clients: readonly { clientId: string; name: string }[]; next: string | null };
      const found = clients.find(({ name }) => name === NAME);
      if (found || !next) return found?.clientId;
      after = next;
    }
  }

  #admin(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#adminToken}`, ...(body && { 'content-type': 'application/json' }) };
    return fetch(`${this.#topology.settings['BASE_URL']}/admin/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }
}
