import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { KafkaCluster } from './cluster.mjs';

/** node tools/kafka/stop.mjs [--directory DIR] [--wipe]: stops what start.mjs started; with --wipe nothing of it stays. */
const { values } = parseArgs({ options: { directory: { type: 'string', default: '.cache/kafka/cluster' }, wipe: { type: 'boolean', default: false } } });
const cluster = await KafkaCluster.open({ directory: resolve(values.directory) });
await (values.wipe ? cluster.remove() : cluster.stop());
