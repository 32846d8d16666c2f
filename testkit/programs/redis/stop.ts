import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { RedisServer } from './redis-server.ts';

/** node testkit/programs/redis/stop.ts [--directory DIR] [--kill] [--wipe]: stops the server that start.ts started; --kill by SIGKILL; --wipe removes its data. */
const { values } = parseArgs({
  options: {
    directory: { type: 'string', default: '.cache/redis' },
    kill: { type: 'boolean', default: false },
    wipe: { type: 'boolean', default: false },
  },
});
const server = await RedisServer.open({ directory: resolve(values.directory) });
await (values.kill ? server.kill() : server.stop());
if (values.wipe) await server.wipe();
