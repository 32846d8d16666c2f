import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { PostgresqlServer } from './postgresql-server.ts';

/** node testkit/programs/postgresql/stop.ts [--directory DIR] [--kill] [--remove]: stops the server that start.ts started; --kill by SIGKILL; --remove removes its data. */
const { values } = parseArgs({
  options: {
    directory: { type: 'string', default: '.cache/postgresql' },
    kill: { type: 'boolean', default: false },
    remove: { type: 'boolean', default: false },
  },
});
const server = await PostgresqlServer.open({ directory: resolve(values.directory) });
if (values.remove) await server.remove();
else await (values.kill ? server.kill() : server.stop());
