import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { PostgresqlServer } from './postgresql-server.ts';

/** node testkit/programs/postgresql/start.ts [--port 15432] [--directory DIR]: starts PostgreSQL and prints POSTGRES_URL=… Port 0: any. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '15432' }, directory: { type: 'string', default: '.cache/postgresql' } },
});
const server = await PostgresqlServer.open({ directory: resolve(values.directory), port: Number(values.port) });
await server.start();
process.stdout.write(`POSTGRES_URL=${server.url}\n`);
