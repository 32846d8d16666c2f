import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { freePorts } from './free-ports.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../dist/examples/relying-party/src/main.js');
const NAME = 'Harbour Library';

/** The demo relying party as a process of its own, registered as a client of this topology. */
export class Demo {
  #child;

  constructor({ topology, adminToken }) {
    this.topology = topology;
    this.adminToken = adminToken;
  }

  async start() {
    const [port] = await freePorts(1);
    this.url = `http://localhost:${port}`;
    const { BASE_URL, LOGIN_URL, APP_URL } = this.topology.settings;
    const { clientId, clientSecret } = await this.#register();
    const log = openSync(join(this.topology.directory, 'demo.log'), 'a');
    this.#child = spawn(process.execPath, [PROGRAM], {
      env: { PATH: process.env.PATH, BASE_URL, LOGIN_URL, APP_URL, DEMO_PORT: String(port), CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
      stdio: ['ignore', 'pipe', log],
    });
    await once(createInterface(this.#child.stdout), 'line');
  }

  async stop() {
    if (!this.#child || this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
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
