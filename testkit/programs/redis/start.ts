import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { RedisServer } from './redis-server.ts';

/** node testkit/programs/redis/start.ts [--port 16379] [--directory DIR]: starts Redis and prints REDIS_URL=… Port 0: any. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '16379' }, directory: { type: 'string', default: '.cache/redis' } } });
const server = await RedisServer.open({ directory: resolve(values.directory), port: Number(values.port) });
await server.start();
process.stdout.write(`REDIS_URL=${server.url}\n`);
