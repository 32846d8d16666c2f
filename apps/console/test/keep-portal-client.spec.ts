import { describe, expect, it } from '@jest/globals';

import type { ClientId } from '#kernel';
import { SilentLog } from '#telemetry';

import { keepPortalClient } from '../src/keep-portal-client.js';

const OTHER = '00000000-0000-4000-8000-000000000001' as ClientId;

/** The lines of a start whose first attempt has this outcome. The service is stopped after it. */
const linesOf = async (outcome: () => Promise<{ nameHolder?: ClientId }>): Promise<readonly unknown[]> => {
  const lines: unknown[] = [];
  const log = new SilentLog();
  log.warn = (...line: readonly unknown[]) => void lines.push(line);
  const stopping = new AbortController();
  const keepClient = () => {
    setImmediate(() => stopping.abort());
    return outcome();
  };
  await keepPortalClient({ logins: { keepClient }, log, stopping: stopping.signal });
  return lines;
};

describe('the start of the portal', () => {
  it('registers its client without a word', async () => {
    expect(await linesOf(async () => ({}))).toEqual([]);
  });

  it('names a client that has its name in a store of a former release, by its id alone', async () => {
    expect(await linesOf(async () => ({ nameHolder: OTHER }))).toEqual([
      ["a client has the portal's name, or one that looks like it; rename it", { component: 'console', clientId: OTHER }],
    ]);
  });

  it('goes on while the store is unavailable, says so, and ends with the service', async () => {
    const error = new Error('unavailable');
    expect(await linesOf(() => Promise.reject(error))).toEqual([["the portal's client could not be registered", { component: 'console', error }]]);
  });
});
