import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

import { freePorts } from './free-ports.mjs';

const NAME = 'Harbour Library';

/** The demo relying party, registered as a client of a topology. It runs in this process. */
export class Demo {
  #app;

  constructor({ topology, adminToken }) {
    this.topology = topology;
    this.adminToken = adminToken;
  }

  async start() {
    const [port] = await freePorts(1);
    this.url = `http://localhost:${port}`;
    const { BASE_URL: baseUrl, LOGIN_URL: loginUrl, APP_URL: appUrl } = this.topology.settings;
    const { clientId, clientSecret } = await this.#register();
    const file = createWriteStream(join(this.topology.directory, 'demo.log'), { flags: 'a' });
    const write = (message, fields) => file.write(`${JSON.stringify({ message, ...fields })}\n`);
    // Present after a build only.
    const { startDemo } = await import('../../dist/examples/relying-party/src/index.js');
    this.#app = await startDemo({
      host: '127.0.0.1',
      port,
      origin: this.url,
      clientId,
      clientSecret,
      name: NAME,
      service: { baseUrl, loginUrl, appUrl, appScheme: 'countersign' },
      log: { info: write, warn: write, error: (message, { error }) => write(message, { error: String(error?.stack ?? error) }) },
    });
  }

  async stop() {
    await this.#app?.close();
  }

  /** An event store that was there before may know the demo's name: that client gets a new secret and leads here. */
  async #register() {
    const terms = {
      redirect_uris: [`${this.url}/callback`],
      allowed_attributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'country', 'email'],
      allowed_predicates: ['ageOver18', 'ageOver21'],
    };
    const created = await this.#admin('POST', '/clients', { name: NAME, ...terms });
    if (created.status === 201) return created.json();
    const client = await this.#find();
    if (!client) throw new Error(`the demo cannot be registered: ${created.status} ${await created.text()}`);
    const path = `/clients/${client.clientId}`;
    await this.#admin('PATCH', path, terms);
    const { clientSecret } = await (await this.#admin('POST', `${path}/secret`)).json();
    return { clientId: client.clientId, clientSecret };
  }

  async #find() {
    for (let after = ''; ; ) {
      const { clients, next } = await (await this.#admin('GET', `/clients?limit=100${after && `&after=${encodeURIComponent(after)}`}`)).json();
      const found = clients.find(({ name }) => name === NAME);
      if (found || !next) return found;
      after = next;
    }
  }

  #admin(method, path, body) {
    const headers = { authorization: `Bearer ${this.adminToken}`, ...(body && { 'content-type': 'application/json' }) };
    return fetch(`${this.topology.settings.BASE_URL}/admin/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }
}
