import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  expectError,
  expectOk,
  type Phone,
  pause,
  type Person,
  RelyingParty,
  secret,
  secretLogLines,
  secretsInDatabases,
  StandaloneService,
  Staff,
  word,
} from '../support/index.js';
import { type StoredSession, violations } from './support/checker.js';
import { Journal } from './support/journal.js';
import { type Attempt, Load } from './support/load.js';
import { resumeLogin } from './support/resume-login.js';
import { inTurns, storedSessions as storedSessionsOf } from './support/stored-sessions.js';

const ROUNDS = 4;
const USERS = 12;

let service: StandaloneService;
let staff: Staff;
let clients: RelyingParty[];
let phones: { person: Person; phone: Phone }[];

const journal = new Journal();
const attempts: Attempt[] = [];
/** The subjectId that a client got for a phone; it never changes. */
const subjects = new Map<string, string>();

beforeAll(async () => {
  service = await StandaloneService.start('kill-9', { PUSH_LIMIT: '100000' });
  staff = new Staff(service);
  clients = await Promise.all([1, 2, 3].map(() => RelyingParty.register(service)));
  phones = await Promise.all(
    Array.from({ length: USERS }, async () => {
      const person = await staff.registerPerson();
      return { person, phone: await staff.phoneOf(person) };
    }),
  );
});

afterAll(() => service.stop());

/** Registers clients and phones until the service no longer answers; acknowledged ones must exist afterwards. */
const register = async (): Promise<void> => {
  for (;;) {
    const client = await RelyingParty.register(service).catch(() => undefined);
    if (!client) return;
    clients.push(client);
    const person = await staff.registerPerson().catch(() => undefined);
    const phone = person && (await staff.phoneOf(person).catch(() => undefined));
    if (!phone) return;
    phones.push({ person, phone });
  }
};

/** Load, then SIGKILL in the middle of it, then a start on the same DATA_DIR. Answers how long that start took, in milliseconds. */
const killUnderLoad = async (afterMs: number, others: (() => Promise<void>)[] = []): Promise<number> => {
  const load = new Load(journal);
  const users = Array.from({ length: USERS }, (_, i) => load.user(clients[i % 3]!, phones[i]!.phone, i % 2 === 0));
  const workload = [...users, register(), ...others.map((other) => other())];
  await pause(afterMs);
  // However slow the machine is.
  await eventually(() => load.attempts.length > USERS, { what: 'a second login of a user', within: 120_000 });
  await service.kill();
  await Promise.all(workload);
  attempts.push(...load.attempts);
  const began = Date.now();
  await service.restart();
  return Date.now() - began;
};

/** Every session of the journal, as the service now knows it. */
const storedSessions = (): Promise<Map<string, StoredSession>> =>
  storedSessionsOf(
    staff,
    attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
  );

describe('kill -9 in the middle of the load, and a start on the same data', () => {
  for (let round = 1; round <= ROUNDS; round++) {
    it(`round ${round}: every acknowledged answer still holds, and no operation is half done`, async () => {
      const already = attempts.length;
      const ms = await killUnderLoad(500 + 350 * round);
      console.log(`round ${round}: ready again after ${ms} ms`);
      expect(attempts.length - already).toBeGreaterThan(USERS);

      const sessions = await storedSessions();
      expect(violations(journal, sessions)).toEqual([]);

      const underWay = attempts
        .slice(already)
        .filter(({ login, subjectId }) => subjectId === undefined && !(login && journal.acknowledged(login.sessionId, 'decline')));
      expect(underWay.length).toBeGreaterThan(0);
      await inTurns(underWay, (attempt) => resumeLogin(service, journal, attempt, attempt.login && sessions.get(attempt.login.sessionId)));
      expect(violations(journal, await storedSessions())).toEqual([]);
    });
  }

  it('single use holds: no completed session completes again, no exchanged code is exchanged again', async () => {
    await inTurns(attempts, async ({ client, login, code, verifier, subjectId }) => {
      if (!login || subjectId === undefined) return;
      expectError(await client.complete(login), 409, 'session_already_completed');
      expectError(await client.token(code, verifier), 400, 'invalid_grant');
    });
  });

  it('a person keeps one subjectId per client', () => {
    for (const { client, phone, subjectId } of attempts) {
      if (subjectId === undefined) continue;
      const pair = `${client.clientId} ${phone.deviceId}`;
      expect(subjects.get(pair) ?? subjectId).toBe(subjectId);
      subjects.set(pair, subjectId);
    }
    expect(new Set(subjects.values()).size).toBe(subjects.size);
  });

  it('all acknowledged clients and devices exist', async () => {
    expect(clients.length).toBeGreaterThan(3 + ROUNDS);
    await inTurns(clients, async (client) => void expectOk(await client.post()));
    await inTurns(phones, async ({ phone }) => expect(expectOk(await phone.show())['status']).toBe('ACTIVE'));
  });

  it("no client sees another client's session", async () => {
    const stranger = await RelyingParty.register(service);
    await inTurns(attempts.slice(0, 200), async ({ login }) => {
      if (login) expectError(await stranger.status(login), 404, 'session_not_found');
    });
  });
});

describe('kill -9', () => {
  it('between pushes: a retry with the same Idempotency-Key leaves one session in the inbox, none is lost', async () => {
    const client = clients[0]!;
    const pushes = await Promise.all(
      phones
        .slice(0, 6)
        .map(async ({ phone }) => ({ phone, subject_id: await client.subjectOf(phone), ids: new Set<string>(), pending: { key: '', body: {} } })),
    );
    const post = (key: string, body: unknown) => client.call('POST', '/relying-party/v1/session', body, { 'idempotency-key': key });
    const pushing = pushes.map((push) => async () => {
      for (;;) {
        push.pending = { key: secret('Idempotency-Key', word()), body: client.sessionBody({ push: true, subject_id: push.subject_id }) };
        const answer = await post(push.pending.key, push.pending.body).catch(() => undefined);
        if (answer?.status !== 200) return;
        push.ids.add(answer.json!['sessionId'] as string);
      }
    });
    await killUnderLoad(600, pushing);
    for (const { phone, ids, pending } of pushes) {
      for (let i = 0; i < 3; i++) ids.add(expectOk(await post(pending.key, pending.body))['sessionId'] as string);
      const inbox = await phone.pendingIds();
      expect(new Set(inbox).size).toBe(inbox.length);
      expect(new Set(inbox)).toEqual(ids);
    }
  });

  it('after a wrong PIN: the attempts before the kill count', async () => {
    const phone = await staff.newPhone();
    const { sessionId } = await clients[0]!.scanned(phone);
    for (const left of [2, 1]) expect((await phone.confirm(sessionId, { pin: phone.wrongPin() })).json?.['payload']).toEqual({ attemptsLeft: left });
    await service.kill();
    await service.restart();
    expect((await phone.confirm(sessionId, { pin: phone.wrongPin() })).json?.['payload']).toEqual({ attemptsLeft: 0 });
    expect(expectOk(await phone.show())['status']).toBe('LOCKED');
  });

  it('during 200 wrong PINs at once: never more than three are judged, before and after together', async () => {
    const phone = await staff.newPhone();
    const { sessionId } = await clients[0]!.scanned(phone);
    const guesses = Array.from({ length: 200 }, (_, i) => phone.confirm(sessionId, { pin: phone.wrongPin(i) }).catch(() => undefined));
    await pause(15);
    await service.kill();
    const judged = (await Promise.all(guesses)).filter((answer) => answer?.status === 403).length;
    await service.restart();
    const later = [];
    for (let i = 0; i < 4; i++) later.push((await phone.confirm(sessionId, { pin: phone.wrongPin(i) })).status);
    expect(judged + later.filter((status) => status === 403).length).toBeLessThanOrEqual(3);
    expect(expectOk(await phone.show())['status']).toBe('LOCKED');
    expect(await clients[0]!.statusOf({ sessionId })).toBe('CANCELLED');
  });

  it('after a new secret and an erasure: both are permanent', async () => {
    const client = await RelyingParty.register(service);
    const old = client.authorization;
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    const { clientSecret } = await staff.ask('POST', `/clients/${client.clientId}/secret`);
    client.clientSecret = secret('client secret', clientSecret as string);
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    await service.kill();
    await service.restart();
    expect((await service.send({ method: 'POST', path: '/relying-party/v1/session', headers: { authorization: old }, json: {} })).status).toBe(401);
    expectOk(await client.post());
    expectError(await phone.show(), 401, 'invalid_device_proof');
  });

  it('during 100 exchanges of one code: at most one success, before and after together', async () => {
    const client = clients[0]!;
    for (let round = 0; round < 3; round++) {
      const { code, verifier } = await client.completed(phones[0]!.phone);
      const exchanges = Array.from({ length: 100 }, () => client.token(code, verifier).catch(() => undefined));
      await pause(5 + 10 * round);
      await service.kill();
      const before = (await Promise.all(exchanges)).filter((answer) => answer?.status === 200).length;
      await service.restart();
      const after = [];
      for (let i = 0; i < 3; i++) after.push((await client.token(code, verifier)).status);
      const successes = before + after.filter((status) => status === 200).length;
      expect(successes).toBeLessThanOrEqual(1);
    }
  });
});

describe('after all kills', () => {
  it('no secret stands in a log line or in the database, its WAL included', async () => {
    await service.kill();
    expect(secretLogLines()).toEqual([]);
    expect(await secretsInDatabases()).toEqual([]);
  });
});
