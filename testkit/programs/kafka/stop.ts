import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { KafkaCluster } from './cluster.ts';

/** node testkit/programs/kafka/stop.ts [--directory DIR] [--wipe]: stops the brokers that start.ts started; --wipe removes all their files. */
const { values } = parseArgs({
  options: { directory: { type: 'string', default: '.cache/kafka/cluster' }, wipe: { type: 'boolean', default: false } },
});
const cluster = await KafkaCluster.open({ directory: resolve(values.directory) });
await (values.wipe ? cluster.remove() : cluster.stop());
