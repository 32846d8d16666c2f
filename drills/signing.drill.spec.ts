import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { expectError, expectOk, Notary, pause, type Phone, secretLogLines, secretsInDatabases, ServiceProcess, Staff } from '../conformance/support/index.js';
import { inTurns } from './support/recorded.js';
import { count, SigningJudge } from './support/signing-judge.js';
import { type SigningAttempt, signUntilGone } from './support/signing-load.js';

const ROUNDS = 6;
const SIGNERS = 8;

let service: ServiceProcess;
let staff: Staff;
let notaries: Notary[];
let phones: Phone[];
let judge: SigningJudge;

const attempts: SigningAttempt[] = [];

beforeAll(async () => {
  service = await ServiceProcess.start('kill-9-signing');
  staff = new Staff(service);
  notaries = await Promise.all([1, 2].map(() => Notary.register(service)));
  phones = await Promise.all(Array.from({ length: SIGNERS }, () => staff.newPhone()));
  judge = await SigningJudge.of(service);
});

afterAll(() => service.stop());

/** Load, then SIGKILL at some moment of it, then a start on the same DATA_DIR. */
const killUnderLoad = async (afterMs: number): Promise<readonly SigningAttempt[]> => {
  const already = attempts.length;
  const signers = phones.map((phone, at) => signUntilGone(notaries[at % notaries.length]!, phone, attempts));
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
        const { signing, confirmation, notary, phone, container } = attempt;
        if (!signing || confirmation === undefined) return;
        if (confirmation === 'unknown') {
          // Nobody knows whether the PIN was taken. The phone asks again, as phones do: it is taken once.
          expectOk(await phone.confirm(signing.sessionId));
        }
        if (container === undefined) interrupted++;
        const end = await judge.judge(attempt);
        ends[end] = (ends[end] ?? 0) + 1;
        expectError(await notary.client.cancel(signing), 409, 'session_not_cancellable');
      });
    });
  }

  it('has caught signings in the middle', () => {
    console.log(`${attempts.length} signings, ${interrupted} interrupted after the PIN, ${JSON.stringify(ends)}`);
    expect(interrupted).toBeGreaterThan(ROUNDS);
    expect(ends['COMPLETED']).toBeGreaterThan(SIGNERS);
  });

  it('with the time-stamp service down: CANCELLED after 60 seconds, although the service was killed meanwhile, and no container ever', async () => {
    const fault = (time_stamp_down: boolean) => service.send({ method: 'POST', path: '/sandbox/v1/faults', json: { time_stamp_down } });
    expectOk(await fault(true));
    const notary = notaries[0]!;
    const signings = await Promise.all(phones.slice(0, 4).map((phone) => notary.confirmed(phone)));
    await service.kill();
    await service.restart();
    await fault(true);
    expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: 61 } }));
    await fault(false);
    await inTurns(signings, async ({ sessionId }) => {
      const status = await notary.client.statusOf({ sessionId });
      const events = await judge.types(sessionId);
      if (status === 'COMPLETED') {
        // Built in the moment between the start and the fault: then it is whole.
        expect(count(events, 'SessionCompleted')).toBe(1);
        expectOk(await notary.client.result({ sessionId }));
        return;
      }
      expect([status, count(events, 'SessionCancelled')]).toEqual(['CANCELLED', 1]);
      expectError(await notary.client.result({ sessionId }), 409, 'not_signed');
    });
  });

  it('leaves no secret in a log line or in the database', async () => {
    await service.kill();
    expect(secretLogLines()).toEqual([]);
    expect(await secretsInDatabases()).toEqual([]);
  });
});
