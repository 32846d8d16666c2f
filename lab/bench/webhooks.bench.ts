import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { BullmqJobQueue, type JobQueue, SqliteJobQueue } from '#engines/job-queue';

import { RedisServer } from '../../testkit/programs/redis/redis-server.ts';
import { table } from './report.js';
import { type QueueParts, WebhookStage } from './webhook-stage.js';

const ENDPOINTS = 10;
const AT_ONCE = 64;
/** Events in a second, for each of the two neighbours. */
const PACE = 100;
const WARM_UP = 2;

type OpenQueue = (parts: QueueParts) => JobQueue | Promise<JobQueue>;

/** Signed webhooks on both job queues, as a chapter in Markdown: how many, how soon, and how a hanging receiver delays another one. */
export const webhookChapter = async (seconds: number): Promise<string> => {
  const rows = [
    await measure('SQLite (embedded)', ({ directory, ...parts }) => new SqliteJobQueue({ path: join(directory, 'jobs.db'), ...parts }), seconds),
  ];
  const onRedis = await withRedis((url) => measure('Redis (BullMQ)', (parts) => BullmqJobQueue.open({ url, ...parts }), seconds));
  if (onRedis) rows.push(onRedis);
  return [
    '## Webhooks',
    '',
    `Signed deliveries to ${ENDPOINTS} endpoints, by the job queue. The time of one is from the event's arrival to the receiver: fan-out, log and job on disk (the store is SQLite in both rows), the`,
    `queue, signature, HTTP. ${AT_ONCE} at a time and one at a time, for ${seconds} s each. Dispatcher and receivers share one process, and Redis this machine. The last columns: the p99 of an endpoint that gets ${PACE} messages a second, alone and beside`,
    `one that gets as many and never answers.`,
    '',
    table(['', 'per second', 'p50 ms', 'p99 ms', 'one at a time: p50 ms', 'p99 ms', 'p99 ms alone', 'beside one that hangs', 'ratio'], rows),
    '',
    ...(onRedis ? [] : ['On Redis it was not measured: there is no `redis-server` here (Debian: `apt-get install redis-server`).', '']),
  ].join('\n');
};

const measure = async (name: string, openQueue: OpenQueue, seconds: number): Promise<string[]> => {
  const stage = await WebhookStage.open(openQueue);
  try {
    const clients = await Promise.all(Array.from({ length: ENDPOINTS }, () => stage.client('well')));
    await together(stage, clients, { atOnce: AT_ONCE, seconds: WARM_UP });
    const many = await together(stage, clients, { atOnce: AT_ONCE, seconds });
    const single = await together(stage, clients, { atOnce: 1, seconds });
    const alone = await paced(stage, { good: clients[0]!, seconds });
    const beside = await paced(stage, { good: clients[0]!, hanging: await stage.client('never'), seconds });
    const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
    const row = [
      String(Math.round(many.length / seconds)),
      ...[many, single].flatMap(quantiles),
      ...[alone, beside].map((all) => quantiles(all)[1]!),
      ratio.toFixed(2),
    ];
    console.error(`webhooks, ${name}: ${row.join('  ')}`);
    return [name, ...row];
  } finally {
    await stage.close();
  }
};

/** So many callers, each with its next event when its message has arrived: the times of all, in milliseconds. */
const together = async (
  stage: WebhookStage,
  clients: readonly string[],
  { atOnce, seconds }: { readonly atOnce: number; readonly seconds: number },
): Promise<number[]> => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const caller = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < end) times.push(await stage.delivered(clients[index % clients.length]!));
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return times;
};

/** Events at an even pace, however long their messages take. */
const paced = async (
  stage: WebhookStage,
  { good, hanging, seconds }: { readonly good: string; readonly hanging?: string; readonly seconds: number },
): Promise<number[]> => {
  const times: Promise<number>[] = [];
  const beside: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < seconds * PACE; count++) {
    await pause(Math.max(0, began + (count * 1_000) / PACE - performance.now()));
    times.push(stage.delivered(good));
    if (hanging !== undefined) beside.push(stage.happens(hanging));
  }
  await Promise.all(beside);
  return Promise.all(times);
};

const quantile = (times: readonly number[], part: number): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? NaN;

const quantiles = (times: readonly number[]): string[] => [0.5, 0.99].map((part) => quantile(times, part).toFixed(1));

/** Undefined where no Redis can be started. */
const withRedis = async <Result>(work: (url: string) => Promise<Result>): Promise<Result | undefined> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-redis-'));
  const redis = await RedisServer.open({ directory });
  try {
    await redis.start();
  } catch (error) {
    await rm(directory, { recursive: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await work(redis.url);
  } finally {
    await redis.remove();
  }
};
