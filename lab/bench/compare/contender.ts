import type { Load } from '../load.js';
import { loginLoad } from '../login-load.js';
import { inTurn } from '../in-turn.js';
import { repeatedLoad } from '../repeated-load.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { Keycloak, type Realm } from './keycloak.js';
import { type CodeFlow, endpointsOf, loginByCode } from './login-by-code.js';
import { keptConnections } from './web-client.js';

/** A server, and the logins that it is measured by. */
export interface Contender {
  readonly server: Server;
  readonly loads: readonly Load[];
  /** Seconds of the first load before anything is measured. */
  readonly warmUp: number;
}

export interface Circumstances {
  /** An empty one. */
  readonly directory: string;
  readonly persons: number;
  /** Seconds. */
  readonly warmUp: number;
  /** Of Java, which compiles what it has run often. Seconds. */
  readonly warmUpOfJava: number;
}

const CLIENT = { client_id: 'bench', client_secret: 'a secret of the benchmark', redirect_uris: ['https://bench.example/callback'] } as const;

/** Our standalone process with its defaults. */
export const countersign = async ({ directory, persons, warmUp }: Circumstances): Promise<Contender> => {
  const adminToken = 'benchmark'.repeat(4);
  const server = await Server.start({
    main: 'dist/apps/standalone/src/main.js',
    env: { DATA_DIR: directory, ADMIN_TOKEN: adminToken, DEMO: 'false' },
    ready: '/readyz',
  });
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = await inTurn(persons, () => staff.newPhone());
  return { server, loads: [{ ...loginLoad({ server, relyingParty, phones }), name: 'Countersign' }], warmUp };
};

export const oidcProvider = async ({ persons, warmUp }: Circumstances): Promise<Contender> => {
  const server = await Server.start({
    main: 'dist/lab/bench/compare/oidc-server.js',
    env: { NODE_ENV: 'production', CLIENT: JSON.stringify({ ...CLIENT, token_endpoint_auth_method: 'client_secret_post' }) },
    ready: '/.well-known/openid-configuration',
  });
  const flow = { issuer: server.url, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, redirectUri: CLIENT.redirect_uris[0] };
  const people = Array.from({ length: persons }, (_, number) => ({ username: `person${number}` }));
  return { server, loads: [await codeLoad('oidc-provider', server, flow, people)], warmUp };
};

/** One process with two realms: first the one with a cheap hash, which lets Java compile more logins in the same time. */
export const keycloak = async ({ directory, persons, warmUpOfJava }: Circumstances): Promise<Contender> => {
  const process = await Keycloak.start(directory);
  const { server } = process;
  const cheap = await process.newRealm({ name: 'cheap', persons, passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)' });
  const usual = await process.newRealm({ name: 'usual', persons });
  const load = (name: string, realm: Realm): Promise<Load> => codeLoad(name, server, realm, realm.persons);
  return { server, loads: [await load('Keycloak, cheap hash', cheap), await load('Keycloak, its own hash', usual)], warmUp: warmUpOfJava };
};

const codeLoad = async (name: string, server: Server, flow: CodeFlow, people: readonly Readonly<Record<string, string>>[]): Promise<Load> => {
  const [endpoints, agent] = [await endpointsOf(flow), keptConnections()];
  return repeatedLoad({ name, server, works: people.map((person) => () => loginByCode(flow, endpoints, person, agent)) });
};
