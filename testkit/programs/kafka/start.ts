import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { KafkaCluster } from './cluster.ts';

/** node testkit/programs/kafka/start.ts [--brokers 3] [--port 19092] [--directory DIR]: starts Kafka and prints KAFKA_BROKERS=… Port 0: any. */
const { values } = parseArgs({
  options: {
    brokers: { type: 'string', default: '1' },
    port: { type: 'string', default: '19092' },
    directory: { type: 'string', default: '.cache/kafka/cluster' },
  },
});
const port = Number(values.port);
const cluster = await KafkaCluster.open({ directory: resolve(values.directory), brokers: Number(values.brokers), ...(port > 0 && { port }) });
await cluster.start();
process.stdout.write(`KAFKA_BROKERS=${cluster.brokers.join(',')}\n`);
