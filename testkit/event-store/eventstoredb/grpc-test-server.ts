import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';

import type { Users } from './grpc-test-server/access.js';
import { DIALECTS } from './grpc-test-server/dialect.js';
import { type FaultSettings, READ_LAG_SHARES } from './grpc-test-server/faults.js';
import { EndedAfterTruncation, GrpcTestServer } from './grpc-test-server/test-server.js';

/** Messages from the parent process: faults, and the ports of the cluster that the server belongs to. */
export type TestServerMessage = FaultSettings & { readonly cluster?: readonly number[] };

/**
 * The gRPC test server as a process of its own. `--data <folder>`, `--port <port, 0 for a free one>`, `--read-lag <sometimes, always,
 * for-ever or never>`, `--users <JSON file of name, password and groups>`, `--tls-certificate <PEM file>` with `--tls-key <PEM file>`,
 * `--cluster <ports of all nodes, with commas>`, `--dialect <23.10, 24.10 or 26.1>`, `--compression-level <NoCompression or Optimal>`, an option of KurrentDB. Says where it
 * listens on its standard output; takes a {@link TestServerMessage} from its parent; ends on SIGTERM and SIGINT.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    'read-lag': { type: 'string', default: 'sometimes' },
    users: { type: 'string' },
    'tls-certificate': { type: 'string' },
    'tls-key': { type: 'string' },
    cluster: { type: 'string' },
    dialect: { type: 'string', default: '23.10' },
    'compression-level': { type: 'string', default: 'Optimal' },
  },
});
if (values.data === undefined) throw new Error('--data: the folder to keep everything in');
const readLag = READ_LAG_SHARES.find((share) => share === values['read-lag']);
if (!readLag) throw new Error(`--read-lag: one of ${READ_LAG_SHARES.join(', ')}`);
const dialect = DIALECTS.find((name) => name === values.dialect);
if (!dialect) throw new Error(`--dialect: one of ${DIALECTS.join(', ')}`);
const textOf = (file: string | undefined): string | undefined => (file === undefined ? undefined : readFileSync(file, 'utf8'));
const [users, certificate, key] = [textOf(values.users), textOf(values['tls-certificate']), textOf(values['tls-key'])];
const server = await GrpcTestServer.start({
  port: Number(values.port),
  folder: values.data,
  readLag,
  users: users === undefined ? undefined : (JSON.parse(users) as Users),
  refused: (line) => process.stderr.write(`${line}\n`),
  tls: certificate === undefined || key === undefined ? undefined : { certificate, key },
  dialect,
  compresses: values['compression-level'] !== 'NoCompression',
}).catch((error: unknown) => {
  if (!(error instanceof EndedAfterTruncation)) throw error;
  process.stdout.write(`${error.message}\n`);
  return process.exit(0);
});
if (values.cluster !== undefined) server.cluster.join(values.cluster.split(',').map(Number));
// So the next process finds compiled code even if this one is killed. Does nothing without NODE_COMPILE_CACHE.
flushCompileCache();
process.stdout.write(`gRPC test server (not EventStoreDB) on ${server.connectionString}\n`);

const stop = (): void => {
  server.stop();
  process.exit(0);
};
process.once('SIGTERM', stop).once('SIGINT', stop);
process.on('message', ({ cluster, ...faults }: TestServerMessage) => {
  server.faults.set(faults);
  if (cluster) server.cluster.join(cluster);
  process.send?.('done');
});
