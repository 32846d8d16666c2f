import { setTimeout as wait } from 'node:timers/promises';

import { type ANY, type EventStoreDBClient, jsonEvent, type NO_STREAM } from '@eventstore/db-client';

import { openClient } from '#engines/event-store';
import type { Dialect } from './grpc-test-server/dialect.js';
import { SpawnedTestServer } from './spawned-test-server.js';

export const real = process.env['ESDB_URL'];

export const happened = (data: Record<string, unknown> = {}, id?: string) => jsonEvent({ type: 'Happened', data, ...(id !== undefined && { id }) });
export const uuid = (): string => crypto.randomUUID();
export const category = (): string => `raw${uuid().replaceAll('-', '')}`;
export const stream = (of = category()): string => `${of}-${uuid()}`;

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
export const refusal = (work: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error & Record<string, unknown>) => error,
  );

export const kindOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'rejected' ? (outcome.reason as { type: string }).type : 'stored';
/** JSON of exactly so many bytes. */
export const dataOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

/** The server that the statements are checked against. */
export const measured = `the measured behaviour of EventStoreDB, on ${real ? 'the server at ESDB_URL' : 'the gRPC test server'}`;

export let server: SpawnedTestServer | undefined;
export let client: EventStoreDBClient;

/** The tests of the file, or of the part of it, share a server and a client. A real server speaks its own dialect. */
export const useMeasuredServer = (dialect: Dialect = '23.10'): void => {
  beforeAll(async () => {
    server = real ? undefined : await SpawnedTestServer.start('--dialect', dialect);
    client = openClient(real ?? server!.connectionString);
  });
  afterAll(async () => {
    await Promise.race([client.dispose(), wait(500)]);
    await server?.[Symbol.asyncDispose]();
  });
};

/** By the version that the server tells. */
export const dialectOfServer = async (): Promise<Dialect> => {
  const { serverVersion } = await (client as unknown as { readonly capabilities: Promise<{ readonly serverVersion: string }> }).capabilities;
  return serverVersion.startsWith('23.') ? '23.10' : '24.10';
};

export const append = (name: string, events: ReturnType<typeof happened>[], expectedRevision: bigint | typeof NO_STREAM | typeof ANY) =>
  client.appendToStream(name, events, { expectedRevision });
export const ids = async (name: string): Promise<string[]> => (await collect(client.readStream(name))).map(({ event }) => event!.id);

export const withTestServer = real ? describe.skip : describe;
