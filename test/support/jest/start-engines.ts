import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { engines, type StartedEngine } from './engines.ts';
import { makeLocalCertificate } from '../../../testkit/processes/local-certificate.ts';

/** Starts the engines that the environment does not name. At a desk the suites of a missing engine are skipped; in CI it is a failure. */
export default async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'engines-ca-'));
  const stops: StartedEngine['stop'][] = [() => rm(folder, { recursive: true })];
  Object.assign(globalThis, { stopEngines: stops });
  const certificate = await makeLocalCertificate(folder);
  // Node reads it when a process starts: the processes of the tests begin after this.
  process.env['NODE_EXTRA_CA_CERTS'] = certificate.caFile;
  await Promise.all(
    engines.map(async ({ setting, start }) => {
      if (process.env[setting]) return;
      try {
        const { settings, stop } = await start(certificate);
        stops.push(stop);
        Object.assign(process.env, settings);
      } catch (error) {
        if (process.env['CI']) throw error;
        process.stderr.write(`\nNothing for ${setting} can be started here, so its suites are skipped: ${String(error)}\n`);
      }
    }),
  );
};
