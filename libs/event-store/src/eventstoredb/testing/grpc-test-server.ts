import { parseArgs } from 'node:util';

import type { FaultSettings } from './grpc-test-server/faults.js';
import { GrpcTestServer } from './grpc-test-server/test-server.js';

/**
 * The gRPC test server as a process of its own: `--port <port, 0 for a free one> --data <folder>`. Says where it listens
 * on its standard output; takes {@link FaultSettings} as messages of its parent; ends on SIGTERM and SIGINT.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, data: { type: 'string' } } });
if (values.data === undefined) throw new Error('--data: the folder to keep everything in');
const server = await GrpcTestServer.start({ port: Number(values.port), folder: values.data });
process.stdout.write(`gRPC test server (not EventStoreDB) on ${server.connectionString}\n`);

const stop = (): void => {
  server.stop();
  process.exit(0);
};
process.once('SIGTERM', stop).once('SIGINT', stop);
process.on('message', (faults: FaultSettings) => {
  server.faults.set(faults);
  process.send?.('done');
});
