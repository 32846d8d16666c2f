import { readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { blocks, header, picture, pixels, pngOf } from '#testkit/relying-party/pictures';
import { isRunning } from '../../testkit/processes/process-state.ts';
import { type Answer, expectError, pause, RelyingParty, Staff, StandaloneService } from '../support/index.js';
import { untilAnswered } from './support/retry.js';

const CONNECTIONS = 8;
const UPLOADS = 6;
const SIDE = 512;
/** Milliseconds between two questions whether the process lives. */
const ASK_EVERY = 10;
const MIB = 1024 * 1024;

let service: StandaloneService;
let staff: Staff;
let clients: readonly RelyingParty[];

beforeAll(async () => {
  service = await StandaloneService.start('logos', { SANDBOX: 'false', LOG_LEVEL: 'warn' });
  staff = new Staff(service);
  clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => RelyingParty.register(service)));
});
afterAll(() => service?.kill());

const upload = ({ clientId }: RelyingParty, image: string): Promise<Answer> => staff.call('PUT', `/clients/${clientId}/logo`, { image });

/** The processes that the service has started and that still run. */
const children = (): readonly number[] => {
  const tasks = `/proc/${service.pid}/task`;
  return readdirSync(tasks).flatMap((task) => readFileSync(`${tasks}/${task}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number));
};
/** The resident memory of a process in bytes; 0 when it has ended. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Does the work, and asks meanwhile whether the process lives. */
const watched = async (work: () => Promise<unknown>) => {
  const seen = { statuses: new Set<number>(), times: [] as number[], mostChildren: 0, memoryOfChildren: 0, memoryOfProcess: 0 };
  let done = false;
  const ask = async (): Promise<void> => {
    while (!done) {
      const began = performance.now();
      seen.statuses.add((await service.send({ method: 'GET', path: '/livez' })).status);
      seen.times.push(performance.now() - began);
      const pids = children();
      seen.mostChildren = Math.max(seen.mostChildren, pids.length);
      seen.memoryOfChildren = Math.max(seen.memoryOfChildren, ...pids.map(memoryOf));
      seen.memoryOfProcess = Math.max(seen.memoryOfProcess, memoryOf(service.pid!));
      await pause(ASK_EVERY);
    }
  };
  const asking = ask();
  await work().finally(() => {
    done = true;
  });
  await asking;
  return seen;
};
const say = (what: string, times: readonly number[]): void => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): string => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
  console.log(`${what}: /livez p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, of ${sorted.length}`);
};

describe('many logos at once', () => {
  it('are all taken, by one child at a time, and the process answers meanwhile', async () => {
    const images = clients.map(() => Array.from({ length: UPLOADS }, () => blocks(SIDE).toString('base64')));
    say('nothing else', (await watched(() => pause(2_000))).times);
    const answers: string[] = [];
    const {
      times,
      mostChildren,
      memoryOfChildren,
      statuses: lives,
    } = await watched(() =>
      Promise.all(
        clients.map(async (client, at) => {
          // As a well-made client does, it repeats the request when the service asks for it.
          for (const image of images[at]!)
            answers.push(
              String(
                (
                  await untilAnswered(
                    () => upload(client, image),
                    (failure) => answers.push(failure),
                  )
                ).status,
              ),
            );
        }),
      ),
    );
    console.log(`resident memory of the child: ${Math.round(memoryOfChildren / MIB)} MiB at the most`);
    say(`${answers.length} answers to ${CONNECTIONS * UPLOADS} pictures of ${SIDE} × ${SIDE} over ${CONNECTIONS} connections`, times);
    expect(answers.filter((answer) => answer === '200')).toHaveLength(CONNECTIONS * UPLOADS);
    expect(answers.filter((answer) => !['200', '503, Retry-After: 2'].includes(answer))).toEqual([]);
    expect([...lives]).toEqual([200]);
    expect(mostChildren).toBe(1);
    expect(memoryOfChildren).toBeLessThan(200 * MIB);
    expect(children().length).toBeLessThanOrEqual(1);
  });

  it('that say to be small and are large are all refused, in the memory that the process has', async () => {
    const bombs = [
      pngOf(header(30_000, 30_000), pixels(1, 1)),
      pngOf(header(64, 64), header(30_000, 30_000), pixels(1, 1)),
      pngOf(header(64, 64), header(4_000, 4_000, [1, 0, 0, 0, 0]), pixels(500, 4_000)),
      pngOf(header(64, 64), pixels(60_000, 500)),
      pngOf(header(64, 64), pixels(1, 1)),
    ].map((bomb) => bomb.toString('base64'));
    const before = memoryOf(service.pid!);
    const { times, mostChildren, memoryOfChildren, memoryOfProcess } = await watched(() =>
      Promise.all(
        clients.map(async (client) => {
          for (const bomb of bombs) expectError(await upload(client, bomb), 400, 'invalid_request', 'image');
        }),
      ),
    );
    say(`${CONNECTIONS * bombs.length} bombs`, times);
    expect(mostChildren).toBeLessThanOrEqual(1);
    expect(memoryOfChildren).toBeLessThan(200 * MIB);
    expect(memoryOfProcess - before).toBeLessThan(128 * MIB);
    const [first] = clients;
    expect((await upload(first!, picture(64, 64).toString('base64'))).status).toBe(200);
  });
});

it('a process that ends leaves no child behind', async () => {
  const answers = clients.map((client) => upload(client, blocks(SIDE).toString('base64')).then(({ status }) => status));
  // A child of the test before may still run, so that alone does not say that the service has the uploads.
  expect(await Promise.race(answers)).toBe(200);
  let started: readonly number[] = [];
  await eventually(async () => (started = children()).length > 0, { what: 'a child runs' });
  await service.stop();
  for (const status of await Promise.allSettled(answers)) expect(status).toMatchObject({ value: expect.any(Number) });
  for (const pid of started) expect(isRunning(pid)).toBe(false);
});
