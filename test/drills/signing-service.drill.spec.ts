import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { SigningClient, pause, type Phone, Staff } from '../support/index.js';
import { BusTap } from './support/bus-tap.js';
import { busViolations, type StoredSession, violations } from './support/checker.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { Journal } from './support/journal.js';
import { inTurns, storedSessions } from './support/stored-sessions.js';
import { secrecyViolations } from './support/secrecy-checker.js';
import { SigningJudge } from './support/signing-judge.js';
import { type SigningAttempt, SteadySigning } from './support/signing-load.js';
import { FailureRecordingService } from './support/failure-recording-service.js';

const NAME = 'signing-service';
const SIGNERS = 8;
/** Milliseconds: no promise, only a limit for signers that hang. */
const SIGNED_WITHIN = 180_000;

/** Seconds; short, so that the drill sees signatures cancelled too. Kafka needs ten to notice a dead member of the group. */
const BUILD_TTL = 45;

/** The replicas of the signing service that are killed, each time at another moment. */
const ROUNDS: readonly (readonly number[])[] = [[0], [1], [0, 1], [0], [0, 1], [0, 1]];

let distributed: Distributed;
let service: FailureRecordingService;
let staff: Staff;
let judge: SigningJudge;
let signingClients: SigningClient[];
let phones: Phone[];
let bus: BusTap;

const signed: SigningAttempt[] = [];

beforeAll(async () => {
  distributed = await startDistributed(NAME, { SIGNING_BUILD_TTL: String(BUILD_TTL) }, { replicated: ['signing'] });
  service = new FailureRecordingService(distributed.service);
  staff = new Staff(service);
  signingClients = await Promise.all([1, 2].map(() => SigningClient.register(service)));
  phones = await Promise.all(Array.from({ length: SIGNERS }, () => staff.newPhone()));
  judge = await SigningJudge.of(service);
  bus = new BusTap(distributed.topology.settings['KAFKA_BROKERS']!.split(','));
  await bus.beginHere();
});

afterAll(() => distributed?.topology.kill());

const startSigning = (): SteadySigning => {
  const load = new SteadySigning();
  phones.forEach((phone, at) => load.add(signingClients[at % signingClients.length]!, phone));
  return load;
};

/** The acknowledged commands, for the checker. */
const journalOf = (attempts: readonly SigningAttempt[]): Journal => {
  const journal = new Journal();
  for (const { signing, confirmation, completed } of attempts) {
    if (!signing) continue;
    const { sessionId } = signing;
    journal.record({ command: 'create', sessionId, outcome: 'ok' });
    if (confirmation !== undefined) journal.record({ command: 'scan', sessionId, outcome: 'ok' });
    if (confirmation !== undefined) journal.record({ command: 'confirm', sessionId, outcome: confirmation });
    if (completed) journal.record({ command: 'complete', sessionId, outcome: 'ok' });
  }
  return journal;
};

const history = (attempts: readonly SigningAttempt[]): Promise<Map<string, StoredSession>> =>
  storedSessions(
    staff,
    attempts.flatMap(({ signingClient, signing }) =>
      signing ? [{ client: signingClient.client, sessionId: signing.sessionId, isSigning: true }] : [],
    ),
  );

/** The ends of all that were approved, by status. */
const judged = async (attempts: readonly SigningAttempt[]): Promise<Record<string, number>> => {
  const ends: Record<string, number> = { COMPLETED: 0, CANCELLED: 0 };
  await inTurns(attempts, async (attempt) => {
    if (attempt.confirmation === undefined) return;
    const end = await judge.judge(attempt);
    ends[end] = (ends[end] ?? 0) + 1;
  });
  return ends;
};

describe('kill -9 of the signing service alone, while documents are signed', () => {
  it(`${ROUNDS.length} times, one replica or both, at random moments: every approved signature ends with exactly one valid container`, async () => {
    const replicas = distributed.topology.of('signing');
    const load = startSigning();
    let interrupted = 0;
    const waits: number[] = [];
    for (const victims of ROUNDS) {
      const before = load.containers;
      await eventually(() => load.containers > before + SIGNERS, { what: 'documents are signed', within: SIGNED_WITHIN });
      await pause(Math.random() * 700);
      await Promise.all(victims.map((victim) => replicas[victim]!.kill()));
      const killed = performance.now();
      interrupted += load.attempts.filter(({ confirmation, completed }) => confirmation === 'ok' && !completed).length;
      await Promise.all(victims.map((victim) => replicas[victim]!.start()));
      waits.push(Math.round(performance.now() - killed));
    }
    await load.stop();
    signed.push(...load.attempts);
    expect(load.refusals).toEqual([]);
    expect(service.failures).toEqual([]);
    const ends = await judged(load.attempts);
    console.log(
      `${load.attempts.length} signatures, ${interrupted} waited for their container at a kill, ${JSON.stringify(ends)}; ready again after ${waits.join(', ')} ms`,
    );
    expect(interrupted).toBeGreaterThan(ROUNDS.length);
    expect(ends).toEqual({ COMPLETED: load.attempts.length, CANCELLED: 0 });
  });

  it('and down for longer than a container may take: signatures approved meanwhile are CANCELLED without a container, later ones are completed', async () => {
    const replicas = distributed.topology.of('signing');
    const load = startSigning();
    await eventually(() => load.containers > SIGNERS, { what: 'documents are signed', within: SIGNED_WITHIN });
    await pause(Math.random() * 700);
    await Promise.all(replicas.map((replica) => replica.kill()));
    const underWay = new Set(load.attempts.filter(({ completed }) => !completed));
    await load.stop();
    await Promise.all(replicas.map((replica) => replica.start()));
    const later = startSigning();
    await eventually(() => later.containers >= SIGNERS, { what: 'documents are signed again', within: SIGNED_WITHIN });
    await later.stop();
    signed.push(...load.attempts, ...later.attempts);

    expect([...load.refusals, ...later.refusals, ...service.failures]).toEqual([]);
    const ends = await judged([...underWay]);
    console.log(`while the signing service was down: ${JSON.stringify(ends)} of ${underWay.size} in hand`);
    expect(ends['CANCELLED']).toBeGreaterThan(0);
    expect(await judged(later.attempts)).toEqual({ COMPLETED: later.attempts.length, CANCELLED: 0 });
  });

  it('leaves a history without violations of I1, I2, I3, I4 and I7', async () => {
    const sessions = await history(signed);
    expect(violations(journalOf(signed), sessions)).toEqual([]);
    let records = await bus.read();
    await eventually(async () => busViolations(sessions, (records = await bus.read())).length === 0, {
      what: 'all stored events are on the bus',
      within: 120_000,
    }).catch(() => undefined);
    expect(busViolations(sessions, records)).toEqual([]);
    for (const service of ['signing', 'timers', 'webhooks'])
      expect([service, await bus.read([`sessions.events.v1.${service}.dead-letters`])]).toEqual([service, []]);
  });

  it('leaves no secret in a log, the store, Kafka or Redis: I8', async () => {
    const records = await bus.read();
    await distributed.topology.kill();
    expect(secrecyViolations(NAME, records)).toEqual([]);
  });
});
