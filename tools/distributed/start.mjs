import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import { Topology } from './topology.mjs';

// `npm run start:distributed`: the distributed profile from local processes, until Ctrl-C.
const PORTS = { api: 8080, login: 8081, phone: 8082 };
/** What may be set from outside. */
const SETTINGS = ['LOG_LEVEL', 'SESSION_TTL', 'PUSH_SESSION_TTL', 'CODE_TTL', 'HANDOFF_TTL', 'RESULT_RETENTION', 'AUTHENTICATION_FAILURE_LIMIT', 'PUSH_LIMIT'];

const adminToken = process.env.ADMIN_TOKEN ?? randomBytes(24).toString('base64url');
const chosen = Object.fromEntries(SETTINGS.filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
const topology = new Topology({ directory: resolve(process.env.DATA_DIR ?? './data/distributed'), ports: PORTS, settings: { ...chosen, ADMIN_TOKEN: adminToken } });
await topology.start().catch(async (error) => {
  await topology.stop();
  console.error(error.message);
  process.exit(1);
});

const { BASE_URL, LOGIN_URL, APP_URL, ESDB_URL, KAFKA_BROKERS, REDIS_URL } = topology.settings;
console.log(`
Countersign is up, as services of their own.

  API           ${BASE_URL}
  Login page    ${LOGIN_URL}
  Web phone     ${APP_URL}
  Admin token   ${adminToken}
  Event store   ${ESDB_URL}${process.env.ESDB_URL ? '' : '  (a gRPC test server, not EventStoreDB)'}
  Kafka, Redis  ${KAFKA_BROKERS}  ${REDIS_URL}
  Logs          ${topology.directory}/*.log
`);

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void topology.stop().then(() => process.exit(0)));
