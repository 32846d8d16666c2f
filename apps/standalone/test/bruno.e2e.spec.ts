import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { BrunoRun, requestsOf, variablesOf } from './bruno-collection.js';
import { base, standalone, useSandbox } from './sandbox.fixture.js';

const COLLECTION = join(import.meta.dirname, '../../../examples/bruno');
const FOLDERS = readdirSync(COLLECTION, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'environments');
const ENVIRONMENT = variablesOf(join(COLLECTION, 'environments/sandbox.bru'));

useSandbox();

/** The environment of the collection, with the client and the port of this service. */
const variables = (): Readonly<Record<string, string>> => {
  const { clientId, clientSecret, redirectUri } = standalone.demo!;
  const site = base.replace('127.0.0.1', 'localhost');
  const given = Object.fromEntries(ENVIRONMENT.map(({ name, value }) => [name, value.replace('http://localhost:3000', site)]));
  return { ...given, clientId, clientSecret, redirectUri };
};

describe('the collection for Bruno', () => {
  it.each(FOLDERS.map(({ name }) => name))('%s: every request is answered as it asserts, in the order of the folder', async (folder) => {
    const requests = requestsOf(join(COLLECTION, folder));
    expect(requests.map(({ meta }) => meta.seq)).toEqual(requests.map((_, index) => String(index + 1)));
    expect(requests.length).toBeGreaterThan(3);
    const run = new BrunoRun(variables());
    for (const request of requests) {
      expect([request.meta.name, request.assertions?.some(({ name }) => name === 'res.status')]).toEqual([request.meta.name, true]);
      expect([request.meta.name, await run.send(request)]).toEqual([request.meta.name, []]);
    }
  });

  it('says what is wrong with an answer that is another one', async () => {
    const [, begin] = requestsOf(join(COLLECTION, 'own-page'));
    const faults = await new BrunoRun({ ...variables(), clientSecret: 'wrong' }).send(begin!);
    expect(faults).toEqual(['res.status eq 200: 401 ', 'res.body.sessionId isDefined: 401 ']);
  });

  it('has no secret in its environment', () => {
    expect(ENVIRONMENT.filter(({ secret }) => secret).map(({ name, value }) => [name, value])).toEqual([
      ['clientId', ''],
      ['clientSecret', ''],
    ]);
  });
});
