import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { reservePorts } from '#testkit/processes/reserve-port';
import { KEYCLOAK } from '#testkit/programs/keycloak/build';

import { runDirectory } from '../../support/index.js';
import { ForeignProgram } from './foreign-program.js';

const SETTINGS = ['--cache=local', '--http-enabled=true', '--http-host=127.0.0.1', '--hostname-strict=false', '--log-level=warn'];

/** Keycloak in one process, over its database in a file of the run. */
export class Keycloak implements AsyncDisposable {
  private constructor(
    readonly url: string,
    private readonly password: string,
    private readonly program: ForeignProgram,
  ) {}

  /** The address that the next one will have. */
  static async reserve(): Promise<string> {
    return `http://127.0.0.1:${(await reservePorts(1))[0]}`;
  }

  static async start(url: string): Promise<Keycloak> {
    const password = randomBytes(24).toString('hex');
    const program = await ForeignProgram.start({
      command: ['sh', KEYCLOAK, 'start', '--optimized', ...SETTINGS],
      env: {
        KC_HTTP_PORT: new URL(url).port,
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: password,
        KC_DB_URL: `jdbc:h2:file:${join(runDirectory(), 'keycloak')};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`,
      },
      ready: `${url}/realms/master`,
    });
    return new Keycloak(url, password, program);
  }

  /** Calls the administration. Throws for everything but success. */
  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const credentials = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: this.password };
    const granted = await fetch(`${this.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(credentials),
    });
    const { access_token = '' } = (await granted.json()) as { access_token?: string };
    const answer = await fetch(`${this.url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.program[Symbol.asyncDispose]();
  }
}
