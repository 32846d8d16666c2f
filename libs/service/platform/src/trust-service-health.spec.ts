import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, type StreamRefused, streamName } from '#engines/event-store';
import { authenticated } from '#testkit/event-store/authenticated';
import { type DomainEvent, InvalidRequest, ServiceUnavailable } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { shortenedStreams } from './streams.js';
import { TrustServiceHealth, type TrustServiceName } from './trust-service-health.js';

const STREAM = streamName('trustservice', 'tsa');
/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('trust-service-health.v1.json', import.meta.url), 'utf8')) as DomainEvent[];

let clock: FixedClock;
let eventStore: SqliteEventStore;
let metrics: Metrics;
let health: TrustServiceHealth;
beforeEach(() => {
  clock = new FixedClock();
  eventStore = new SqliteEventStore({ path: ':memory:', clock });
  metrics = new Metrics();
  health = new TrustServiceHealth({ eventStore, clock, log: new SilentLog(), metrics });
});
afterEach(() => eventStore.close());

const succeed = (service: TrustServiceName = 'TSA') => health.watch(service, async () => 'a token');
const fail = (error: Error = new ServiceUnavailable('no answer')) => health.watch('TSA', () => Promise.reject(error)).catch(() => undefined);

/** The state of the time-stamping authority, once it is stored. */
const stored = (expected: object) =>
  eventually(
    async () => JSON.stringify((await health.list()).find(({ service }) => service === 'TSA')) === JSON.stringify({ service: 'TSA', ...expected }),
    {
      what: `stored: ${JSON.stringify(expected)}`,
    },
  );
const revision = async (): Promise<number | undefined> => (await eventStore.read(STREAM, { direction: 'backwards', limit: 1 }))[0]?.revision;

describe('the health of trust services', () => {
  it('lists all of them, without times before the first use', async () => {
    expect(await health.list()).toEqual([{ service: 'CA' }, { service: 'TSA' }, { service: 'OCSP' }]);
  });

  it('keeps the last success and the last failure, and hands the outcome on', async () => {
    const first = clock.now();
    expect(await succeed()).toBe('a token');
    await stored({ lastSuccessAt: first });
    clock.advance(1_000);
    await expect(health.watch('TSA', () => Promise.reject(new ServiceUnavailable('no answer')))).rejects.toBeInstanceOf(ServiceUnavailable);
    await stored({ lastSuccessAt: first, lastFailureAt: clock.now() });
    expect((await eventStore.read(STREAM)).length).toBe(1);
  });

  it('keeps one event of a service, and a read of its stream from the start is accepted all the same', async () => {
    const refused: StreamRefused[] = [];
    const store = authenticated(eventStore, { shortened: shortenedStreams, refused: (refusal) => refused.push(refusal) });
    health = new TrustServiceHealth({ eventStore: store, clock, log: new SilentLog(), metrics });
    await succeed();
    await stored({ lastSuccessAt: clock.now() });
    await fail();
    await stored({ lastSuccessAt: clock.now(), lastFailureAt: clock.now() });
    expect(await store.read(STREAM)).toMatchObject([{ revision: 1 }]);
    expect(refused).toEqual([]);
  });

  it('stores an outcome once a minute, and a changed one at once', async () => {
    await succeed();
    await stored({ lastSuccessAt: clock.now() });
    const first = await revision();
    clock.advance(59_999);
    for (let call = 0; call < 20; call++) await succeed();
    await succeed('OCSP');
    await eventually(async () => (await health.list()).some(({ service, lastSuccessAt }) => service === 'OCSP' && lastSuccessAt !== undefined), {
      what: 'OCSP',
    });
    expect(await revision()).toBe(first);
    clock.advance(1);
    await succeed();
    await eventually(async () => (await revision()) !== first, { what: 'another note after a minute' });
  });

  it('does not count a refused request as a failure of the service', async () => {
    await fail(new InvalidRequest('`signing_csr` must be a PKCS#10 request in base64 DER.'));
    await fail(new TypeError('a bug of ours'));
    expect(await metrics.registry.metrics()).not.toContain('trust_service_calls_total{');
    expect(await revision()).toBeUndefined();
  });

  it('keeps the outcome of a call apart from a store that does not answer, and stores the next one', async () => {
    const append = jest.spyOn(eventStore, 'append').mockRejectedValueOnce(new ServiceUnavailable('the store is unavailable'));
    expect(await succeed()).toBe('a token');
    await eventually(() => append.mock.calls.length === 1, { what: 'the first try' });
    await eventually(
      async () => {
        await succeed();
        return (await revision()) !== undefined;
      },
      { what: 'stored later' },
    );
  });

  it('counts the calls', async () => {
    await succeed();
    await fail();
    const text = await metrics.registry.metrics();
    expect(text).toContain('trust_service_calls_total{service="TSA",outcome="done"} 1');
    expect(text).toContain('trust_service_calls_total{service="TSA",outcome="unavailable"} 1');
  });
});

describe('the stored events of version 1', () => {
  it.each([1, 2])('are still understood: the first %d', async (count) => {
    await eventStore.append(STREAM, NO_STREAM, GOLDEN.slice(0, count));
    expect((await health.list())[1]).toEqual({ service: 'TSA', ...GOLDEN[count - 1]!.data });
  });
});
