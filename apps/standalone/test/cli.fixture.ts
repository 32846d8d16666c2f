import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';

import { BundledCli, type Outcome } from '../../cli/test/bundled-cli.js';
import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';
export const MARI = { given_name: 'Mari', family_name: 'Maasikas', personal_code: '48001010001', date_of_birth: '1980-01-01', country: 'EE' };

/** The fields that the JSON output of the commands below may hold. */
export interface Output {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clients: readonly unknown[];
  readonly devices: readonly unknown[];
}

export let directory: string;
export let bundled: BundledCli;
export let baseUrl: string;
export let standalone: Standalone;

/** The command line, as an operator on the same machine runs it. */
export const cli = (parameters: readonly string[], environment: Readonly<Record<string, string>> = {}, input = ''): Promise<Outcome> =>
  bundled.run(parameters, { BASE_URL: baseUrl, DATA_DIR: directory, ...environment }, input);

export const json = async (...parameters: string[]): Promise<Output> => JSON.parse((await cli([...parameters, '--json'])).stdout) as Output;

/** The tests of the file share a service and the built command line. */
export const useCli = (): void => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cli-data-'));
    bundled = await BundledCli.build();
    const port = await reservePort();
    baseUrl = `http://localhost:${port}`;
    const settings = { PORT: String(port), DATA_DIR: directory, DEMO: 'false', LOG_LEVEL: 'silent', WEBHOOK_PING_LIMIT: '100' };
    standalone = await startStandalone(loadPlatformSettings(settings));
  });

  afterAll(async () => {
    await standalone.close();
    await Promise.all([bundled.remove(), rm(directory, { recursive: true })]);
  });
};
