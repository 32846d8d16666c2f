import { setTimeout as wait } from 'node:timers/promises';

import { type ANY, type EventStoreDBClient, jsonEvent, type NO_STREAM } from '@eventstore/db-client';

import { openClient, serverVersionOf } from '#engines/event-store';
import { type Dialect, DIALECTS } from './grpc-test-server/dialect.js';
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

/** The servers that the statements are checked against: the one at ESDB_URL, which speaks its own dialect, or the gRPC test server in each dialect. */
export const measured: readonly { readonly name: string; readonly started?: Dialect }[] = real
  ? [{ name: 'the server at ESDB_URL' }]
  : DIALECTS.map((started) => ({ name: `the gRPC test server in the dialect of ${started}`, started }));

export let server: SpawnedTestServer | undefined;
export let client: EventStoreDBClient;
/** The dialect of the server, by the version that it tells. */
export let dialect: Dialect;

/** The tests of the file, or of the part of it, share a server and a client. */
export const useMeasuredServer = (started: Dialect = '23.10'): void => {
  beforeAll(async () => {
    server = real ? undefined : await SpawnedTestServer.start('--dialect', started);
    client = openClient(real ?? server!.connectionString);
    dialect = await dialectOfServer();
    if (!real) expect(dialect).toBe(started);
  });
  afterAll(async () => {
    await Promise.race([client.dispose(), wait(500)]);
    await server?.[Symbol.asyncDispose]();
  });
};

const dialectOfServer = async (): Promise<Dialect> => {
  const major = Number.parseInt(await serverVersionOf(client));
  return major < 24 ? '23.10' : major < 25 ? '24.10' : '26.1';
};

export const append = (name: string, events: ReturnType<typeof happened>[], expectedRevision: bigint | typeof NO_STREAM | typeof ANY) =>
  client.appendToStream(name, events, { expectedRevision });
export const ids = async (name: string): Promise<string[]> => (await collect(client.readStream(name))).map(({ event }) => event!.id);

export const withTestServer = real ? describe.skip : describe;
