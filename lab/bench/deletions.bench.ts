import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadPlatformSettings } from '#service/config';
import type { ClientId, IdentityId } from '#kernel';
import { openPlatform } from '#service/platform';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';

/** Deletions of old sessions in a second, on SQLite or on the event store at ESDB_URL: `node dist/lab/bench/deletions.bench.js [sessions]`. */
const SESSIONS = Number(process.argv[2] ?? 20_000);
const OLD = 31 * 86_400_000;

const directory = mkdtempSync(join(tmpdir(), 'deletions-bench-'));
const { ESDB_URL } = process.env;
const platform = await openPlatform(loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn', ...(ESDB_URL && { ESDB_URL }) }));
const { eventStore, randomness, metrics } = platform;

const from = Date.now() - OLD;
await storeFinishedSessions(eventStore, {
  count: SESSIONS,
  clients: [randomness.uuid<ClientId>()],
  persons: [randomness.uuid<IdentityId>()],
  from,
  every: 1,
  randomness,
});
const { timers } = platform.useCases.sessionTimers();
// Read models begin once a process serves.
platform.served();
const rowsAreThere = async (): Promise<boolean> => (await platform.projections.list().catch(() => []))[0]?.complete === true;
const filling = performance.now();
// The rows of the store are written first: the partition is named, and nothing is done yet.
timers.assigned({ partitions: 1, owned: [0] });
while (!(await rowsAreThere())) await sleep(10);
console.log(`rows from the store     ${Math.round(SESSIONS / ((performance.now() - filling) / 1_000))} sessions/s`);

const deleted = async (): Promise<number> =>
  (await metrics.sessionTimers.get()).values.find(({ labels }) => labels.outcome === 'deleted')?.value ?? 0;
const [began, cpu] = [performance.now(), process.cpuUsage()];
void timers.run();
while ((await deleted()) < SESSIONS) await sleep(10);
const seconds = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage(cpu);
console.log(
  `deletions               ${Math.round(SESSIONS / seconds)}/s, ${((user + system) / 1_000 / SESSIONS).toFixed(2)} ms of processor time each; ` +
    `${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`,
);
platform.stop();
await platform.close();
rmSync(directory, { recursive: true });
