import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { buildKeycloak, KEYCLOAK } from '../../../testkit/programs/keycloak/build.ts';
import { Server } from '../server.js';
import type { CodeFlow } from './login-by-code.js';

/** A realm of Keycloak with one client, and persons who log in with a password. */
export interface Realm extends CodeFlow {
  readonly persons: readonly { readonly username: string; readonly password: string }[];
}

export interface RealmOptions {
  readonly name: string;
  readonly persons: number;
  /** Keycloak's own words, such as `hashIterations(1)`. Default: Keycloak's default. */
  readonly passwordPolicy?: string;
}

const REDIRECT_URI = 'https://bench.example/callback';
/** `cache`: sessions in memory of this process alone, beside the database. */
const SETTINGS = ['--cache=local', '--http-enabled=true', '--http-host=127.0.0.1', '--hostname-strict=false', '--log-level=warn'];
/** A first start makes the tables. Milliseconds. */
const START_TIME = 180_000;

/** Keycloak in one process, as in production, over its database in a file of this directory. */
export class Keycloak {
  private constructor(
    readonly server: Server,
    private readonly password: string,
  ) {}

  static async start(directory: string): Promise<Keycloak> {
    buildKeycloak();
    const password = randomBytes(24).toString('hex');
    const server = await Server.run({
      command: ['sh', KEYCLOAK, 'start', '--optimized', ...SETTINGS],
      portVariable: 'KC_HTTP_PORT',
      env: {
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: password,
        KC_DB_URL: `jdbc:h2:file:${join(directory, 'keycloak')};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`,
      },
      ready: '/realms/master',
      timeLimit: START_TIME,
    });
    return new Keycloak(server, password);
  }

  async newRealm({ name, persons: count, passwordPolicy }: RealmOptions): Promise<Realm> {
    const clientSecret = randomBytes(24).toString('hex');
    const persons = Array.from({ length: count }, (_, number) => ({ username: `person${number}`, password: randomBytes(9).toString('hex') }));
    await this.#post('/admin/realms', {
      realm: name,
      enabled: true,
      sslRequired: 'none',
      ...(passwordPolicy !== undefined && { passwordPolicy }),
      clients: [{ clientId: 'bench', secret: clientSecret, redirectUris: [REDIRECT_URI], protocol: 'openid-connect', publicClient: false }],
      users: persons.map(({ username, password }) => ({
        username,
        email: `${username}@bench.example`,
        emailVerified: true,
        firstName: 'Bench',
        lastName: 'Mark',
        enabled: true,
        credentials: [{ type: 'password', value: password, temporary: false }],
      })),
    });
    return { issuer: `${this.server.url}/realms/${name}`, clientId: 'bench', clientSecret, redirectUri: REDIRECT_URI, persons };
  }

  async #post(path: string, body: object): Promise<void> {
    const credentials = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: this.password };
    const granted = await fetch(`${this.server.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(credentials),
    });
    const { access_token = '' } = (await granted.json()) as { access_token?: string };
    const answer = await fetch(this.server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
}
