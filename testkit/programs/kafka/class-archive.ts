import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CLASS_ARCHIVE, KafkaCluster } from './cluster.ts';

/** Makes the archive of a broker's classes, once: a broker that has served writes it at its end. */
export const makeClassArchive = async (): Promise<void> => {
  if (existsSync(CLASS_ARCHIVE)) return;
  const made = `${CLASS_ARCHIVE}.${process.pid}`;
  const cluster = await KafkaCluster.open({
    directory: await mkdtemp(join(tmpdir(), 'kafka-classes-')),
    javaOptions: [`-XX:ArchiveClassesAtExit=${made}`],
  });
  await cluster.start();
  await cluster.stop();
  await cluster.remove();
  // On a machine that is too slow to write it in time, brokers start without it.
  if (existsSync(made)) await rename(made, CLASS_ARCHIVE);
};
