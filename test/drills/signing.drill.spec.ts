import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  expectError,
  expectOk,
  SigningClient,
  pause,
  type Phone,
  secretLogLines,
  secretsInDatabases,
  StandaloneService,
  Staff,
} from '../support/index.js';
import { inTurns } from './support/stored-sessions.js';
import { count, SigningJudge } from './support/signing-judge.js';
import { type SigningAttempt, signUntilGone } from './support/signing-load.js';

const ROUNDS = 6;
const SIGNERS = 8;

let service: StandaloneService;
let staff: Staff;
let signingClients: SigningClient[];
let phones: Phone[];
let judge: SigningJudge;

const attempts: SigningAttempt[] = [];

beforeAll(async () => {
  service = await StandaloneService.start('kill-9-signing');
  staff = new Staff(service);
  signingClients = await Promise.all([1, 2].map(() => SigningClient.register(service)));
  phones = await Promise.all(Array.from({ length: SIGNERS }, () => staff.newPhone()));
  judge = await SigningJudge.of(service);
});

afterAll(() => service.stop());

/** Load, then SIGKILL at some moment of it, then a start on the same DATA_DIR. */
const killUnderLoad = async (afterMs: number): Promise<readonly SigningAttempt[]> => {
  const already = attempts.length;
  const signers = phones.map((phone, at) => signUntilGone(signingClients[at % signingClients.length]!, phone, attempts));
  await pause(afterMs);
  await service.kill();
  await Promise.all(signers);
  await service.restart();
  return attempts.slice(already);
};

describe('kill -9 while documents are signed, and a start on the same data', () => {
  const ends: Record<string, number> = { COMPLETED: 0, CANCELLED: 0 };
  let interrupted = 0;

  for (let round = 1; round <= ROUNDS; round++) {
    it(`round ${round}: every confirmed signing ends COMPLETED with exactly one valid container, or CANCELLED with none`, async () => {
      const made = await killUnderLoad(300 + Math.floor(Math.random() * 1200));
      expect(made.length).toBeGreaterThanOrEqual(SIGNERS);
      await inTurns(made, async (attempt) => {
        const { signing, confirmation, signingClient, phone, container } = attempt;
        if (!signing || confirmation === undefined) return;
        if (confirmation === 'unknown') {
          // Whether the PIN was accepted is unknown. The phone repeats the request, and the service accepts it once.
          expectOk(await phone.confirm(signing.sessionId));
        }
        if (container === undefined) interrupted++;
        const end = await judge.judge(attempt);
        ends[end] = (ends[end] ?? 0) + 1;
        expectError(await signingClient.client.cancel(signing), 409, 'session_not_cancellable');
      });
    });
  }

  it('has interrupted signings half-way', () => {
    console.log(`${attempts.length} signings, ${interrupted} interrupted after the PIN, ${JSON.stringify(ends)}`);
    expect(interrupted).toBeGreaterThan(ROUNDS);
    expect(ends['COMPLETED']).toBeGreaterThan(SIGNERS);
  });

  it('with the time-stamp service down: CANCELLED after 60 seconds, although the service was killed meanwhile, and there is never a container', async () => {
    const fault = (time_stamp_down: boolean) => service.send({ method: 'POST', path: '/sandbox/v1/faults', json: { time_stamp_down } });
    expectOk(await fault(true));
    const signingClient = signingClients[0]!;
    const signings = await Promise.all(phones.slice(0, 4).map((phone) => signingClient.confirmed(phone)));
    await service.kill();
    await service.restart();
    await fault(true);
    expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: 61 } }));
    await fault(false);
    await inTurns(signings, async ({ sessionId }) => {
      const status = await signingClient.client.statusOf({ sessionId });
      const events = await judge.types(sessionId);
      if (status === 'COMPLETED') {
        // A container built between the start and the fault is complete.
        expect(count(events, 'SessionCompleted')).toBe(1);
        expectOk(await signingClient.client.result({ sessionId }));
        return;
      }
      expect([status, count(events, 'SessionCancelled')]).toEqual(['CANCELLED', 1]);
      expectError(await signingClient.client.result({ sessionId }), 409, 'not_signed');
    });
  });

  it('leaves no secret in a log line or in the database', async () => {
    await service.kill();
    expect(secretLogLines()).toEqual([]);
    expect(await secretsInDatabases()).toEqual([]);
  });
});
