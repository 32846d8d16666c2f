import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { RedisServer } from './redis-server.mjs';

/** node tools/redis/stop.mjs [--directory DIR] [--kill] [--wipe]: stops what start.mjs started; --kill by SIGKILL; with --wipe it holds nothing afterwards. */
const { values } = parseArgs({
  options: { directory: { type: 'string', default: '.cache/redis' }, kill: { type: 'boolean', default: false }, wipe: { type: 'boolean', default: false } },
});
const server = await RedisServer.open({ directory: resolve(values.directory) });
await (values.kill ? server.kill() : server.stop());
if (values.wipe) await server.wipe();
