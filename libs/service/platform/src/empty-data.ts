import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isInMemory, type PlatformSettings } from '#service/config';

import { ERASURES, REBUILT, STORE } from './backup/files.js';

/** What SQLite keeps beside a database. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/** Removes the store from `DATA_DIR` with all that was made from it, for the sandbox. Keys, the admin token and the clock stay. Nothing may have it open. A store in memory is empty when it is opened anew. */
export const emptyData = async ({ dataDirectory }: Pick<PlatformSettings, 'dataDirectory'>): Promise<void> => {
  if (isInMemory(dataDirectory)) return;
  const databases = [...REBUILT, STORE].flatMap((name) => BESIDE.map((end) => `${name}${end}`));
  for (const name of [ERASURES, ...databases]) await rm(join(dataDirectory, name), { force: true });
};

/** The settings by which others hold a part of the data, so that this process alone cannot empty it. */
export const heldElsewhere = (settings: PlatformSettings): readonly string[] =>
  Object.entries({
    ESDB_URL: settings.esdbUrl,
    KAFKA_BROKERS: settings.kafkaBrokers,
    REDIS_URL: settings.redisUrl,
    POSTGRES_URL: settings.postgresUrl,
    ANCHOR_DIR: settings.anchorDirectory,
    ANCHOR_URL: settings.anchorUrl,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
