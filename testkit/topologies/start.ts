import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';

import { Topology } from './topology.ts';

// `npm run start:distributed`: the distributed profile from local processes, until Ctrl-C.
const PORTS = { api: 8080, login: 8081, phone: 8082, portal: 8083 };
/** Settings that the environment may change. */
const SETTINGS = [
  'LOG_LEVEL',
  'SESSION_TTL',
  'PUSH_SESSION_TTL',
  'CODE_TTL',
  'HANDOFF_TTL',
  'RESULT_RETENTION',
  'AUTHENTICATION_FAILURE_LIMIT',
  'PUSH_LIMIT',
  'PUSH_PERSON_LIMIT',
  'PUSH_DECLINE_WAIT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
];

const adminToken = process.env['ADMIN_TOKEN'] ?? randomBytes(24).toString('base64url');
const chosen = Object.fromEntries(SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
const topology = new Topology({
  directory: resolve(process.env['DATA_DIR'] ?? './data/distributed'),
  ports: PORTS,
  portal: true,
  openid: true,
  keepsData: true,
  settings: { ...chosen, ADMIN_TOKEN: adminToken },
});
await topology.start().catch(async (error: Error) => {
  await topology.stop();
  console.error(error.message);
  process.exit(1);
});

const { BASE_URL, LOGIN_URL, APP_URL, PORTAL_URL, ESDB_URL, KAFKA_BROKERS, REDIS_URL, POSTGRES_URL } = topology.settings;
console.log(`
Countersign runs as separate services.

  API           ${BASE_URL}
  Login page    ${LOGIN_URL}
  Web phone     ${APP_URL}
  Portal        ${PORTAL_URL}  (docs/portal.md: the first administrator)
  Admin token   ${adminToken}
  Event store   ${ESDB_URL}${process.env['ESDB_URL'] ? '' : '  (a gRPC test server, not EventStoreDB)'}
  Kafka, Redis  ${KAFKA_BROKERS}  ${REDIS_URL}
  PostgreSQL    ${POSTGRES_URL}
  Logs          ${topology.directory}/*.log
`);

// The services do not keep this process alive.
const keepAlive = setInterval(() => undefined, 60_000);
const end = async (): Promise<void> => {
  clearInterval(keepAlive);
  await topology.stop();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
