import type { ClientId } from '#kernel';
import { SilentLog } from '#telemetry';

import { compareClientNames } from '../src/compare-client-names.js';

const [FIRST, SECOND] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as [ClientId, ClientId];
const listClients = { current: async () => {}, execute: async () => ({ entries: [] }) };

/** The lines of a run whose rounds have these outcomes; the service is stopped after the last one. */
const linesOf = async (
  ...outcomes: readonly (() => Promise<readonly { clientId: ClientId; looksLike: ClientId }[]>)[]
): Promise<readonly unknown[]> => {
  const lines: unknown[] = [];
  const log = new SilentLog();
  log.warn = (...line: readonly unknown[]) => void lines.push(line);
  const stopping = new AbortController();
  const left = [...outcomes];
  const execute = async () => {
    const outcome = left.shift()!;
    if (left.length === 0) setImmediate(() => stopping.abort());
    return outcome();
  };
  await compareClientNames({ reserveSkeletons: { execute }, listClients, log, stopping: stopping.signal });
  return lines;
};

describe('the start of the registry', () => {
  it('logs which clients have names that look alike, by their ids alone', async () => {
    expect(await linesOf(async () => [{ clientId: SECOND, looksLike: FIRST }])).toEqual([
      ['the names of two clients look alike; rename one', { component: 'registry', clientId: SECOND, reason: `looks like ${FIRST}` }],
    ]);
  });

  it('logs nothing when no names look alike', async () => {
    expect(await linesOf(async () => [])).toEqual([]);
  });

  it('goes on without the comparison when the list is unavailable, says so, and ends with the service', async () => {
    const error = new Error('unavailable');
    expect(await linesOf(() => Promise.reject(error))).toEqual([
      ['the names of the clients could not be compared', { component: 'registry', error }],
    ]);
  });
});
