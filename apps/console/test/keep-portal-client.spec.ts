import { describe, expect, it } from '@jest/globals';

import { SilentLog } from '#telemetry';

import { keepPortalClient } from '../src/keep-portal-client.js';

/** The lines of a start whose first attempt has this outcome. The service is stopped after it. */
const linesOf = async (outcome: () => Promise<void>): Promise<readonly unknown[]> => {
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
    expect(await linesOf(async () => undefined)).toEqual([]);
  });

  it('goes on while the store is unavailable, says so, and ends with the service', async () => {
    const error = new Error('unavailable');
    expect(await linesOf(() => Promise.reject(error))).toEqual([["the portal's client could not be registered", { component: 'console', error }]]);
  });
});
