import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Dialect, DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';

import { BundledCli } from './bundled-cli.js';

/** Three nodes and the built command line start on a busy machine. Milliseconds. */
const MINUTES = 300_000;

let cli: BundledCli;
let directory: string;
beforeAll(async () => {
  cli = await BundledCli.build();
  directory = await mkdtemp(join(tmpdir(), 'store-scavenge-'));
}, MINUTES);
afterAll(async () => {
  await cli.remove();
  await rm(directory, { recursive: true });
});

describe.each(DIALECTS.map((dialect) => ({ dialect })))(
  'store scavenge over three nodes in the dialect of $dialect',
  ({ dialect }: { dialect: Dialect }) => {
    it(
      'scavenges each node whose interface answers in plain text, the leader last, and again on the next day',
      async () => {
        await using cluster = await SpawnedCluster.start(dialect);
        const leader = await cluster.leader();
        const current = await fetch(`http://127.0.0.1:${leader.port}/admin/scavenge/current`);
        expect(current.headers.get('content-type')).toContain('text/plain');
        const metricsFile = join(directory, `${dialect}.prom`);
        const [ESDB_URL, DATA_DIR] = [cluster.connectionString, directory];
        for (let day = 1; day <= 2; day += 1) {
          const run = await cli.run(['store', 'scavenge', '--poll', '0.02', '--metrics-file', metricsFile, '--json'], { ESDB_URL, DATA_DIR });
          expect(run).toMatchObject({ exitCode: 0 });
          const { nodes } = JSON.parse(run.stdout) as { nodes: readonly { node: string; details: string }[] };
          expect(nodes.map(({ node }) => node).toSorted()).toEqual(cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).toSorted());
          expect(nodes.map(({ details }) => details.split(',')[0])).toEqual(['follower', 'follower', 'leader']);
          expect(nodes.at(-1)?.node).toBe(`127.0.0.1:${leader.port}`);
        }
        const samples = (await readFile(metricsFile, 'utf8')).split('\n').filter((line) => line.includes('{node='));
        expect(samples).toHaveLength(3);
      },
      MINUTES,
    );
  },
);
