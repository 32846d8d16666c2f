import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { exchange, type Phone, RelyingParty, sharedService, Staff, topology, UUID } from '../../support/index.js';
import { Replicas } from './replicas.js';

const CLI = resolve(import.meta.dirname, '../../../dist/apps/cli/src/main.js');
const YEAR = 365 * 86_400_000;
const PATH = '/relying-party/v1/subject-migrations';
/** The services read the file every ten seconds, and build the list of links at the first request. Milliseconds. */
const READ_WITHIN = 60_000;

/** The key begins in a year, so that no other file sees another subjectId; afterwards the rotation is taken back (docs/operator.md#rotate-the-subject-key). */
(topology ? describe : describe.skip)('a rotation of the subject key, while all services run over their engines', () => {
  const from = new Date(Math.ceil(Date.now() / 1000) * 1000 + YEAR);
  const until = new Date(from.getTime() + YEAR);
  let keyFile: string;
  let formerFile: string;
  let shop: RelyingParty;
  let staff: Staff;
  let replicas: Replicas;
  let phone: Phone;
  let former: string;

  const cli = (...parameters: string[]) =>
    promisify(execFile)(process.execPath, [CLI, ...parameters], {
      env: { PATH: process.env['PATH'], KEY_DIR: topology!.settings['KEY_DIR'], DATA_DIR: topology!.directory },
    });
  /** What each replica of session-api answers the client. */
  const answers = () =>
    Promise.all(
      topology!.of('session-api').map(async ({ url }) => {
        const { status, json } = await exchange(url, { method: 'GET', path: PATH, headers: { authorization: shop.authorization } });
        return status === 200 ? json : status;
      }),
    );
  /** Each replica of device-api reads the file at its own time; until then it knows the person by the former value only. */
  const everyReplicaScans = async (subject_id: string) => {
    for (replicas.number of topology!.of('device-api').keys()) {
      const { sessionId } = await shop.login({ subject_id });
      const what = `replica ${replicas.number} of device-api scans a login that names the person by the next value`;
      await eventually(async () => (await phone.scan(sessionId)).status === 200, { what, within: READ_WITHIN });
    }
  };
  const become = (expected: unknown, what: string) =>
    eventually(
      async () => {
        const given = await answers();
        return given.every((one) => JSON.stringify(one) === JSON.stringify(expected));
      },
      { what, within: READ_WITHIN },
    );

  beforeAll(async () => {
    const service = await sharedService();
    replicas = Replicas.ofTheRun();
    staff = new Staff(replicas);
    [shop, phone] = [await RelyingParty.register(service), await staff.newPhone()];
    former = await shop.subjectOf(phone);
    keyFile = join(topology!.settings['KEY_DIR']!, 'subject.json');
    formerFile = await readFile(keyFile, 'utf8');
  });
  afterAll(async () => {
    await writeFile(`${keyFile}.draft`, formerFile, { mode: 0o600 });
    await rename(`${keyFile}.draft`, keyFile);
    await become({ subjects: [] }, 'every replica takes the former file back');
  });

  it('reaches every replica without a restart, and gives the client the same pair everywhere', async () => {
    expect(await answers()).toEqual(topology!.of('session-api').map(() => ({ subjects: [] })));
    await cli('keys', 'rotate', 'subject', '--from', from.toISOString(), '--until', until.toISOString());

    await eventually(async () => (await answers()).every((one) => JSON.stringify(one).includes(former)), {
      what: 'every replica of session-api answers the pair',
      within: READ_WITHIN,
    });
    const [first, ...others] = await answers();
    const pair = { formerSubjectId: former, subjectId: expect.stringMatching(UUID) };
    expect(first).toEqual({ subjects: [pair], changesAt: from.getTime() / 1000, endsAt: until.getTime() / 1000 });
    for (const other of others) expect(other).toEqual(first);
    expect(await staff.ask('GET', `/clients/${shop.clientId}/subject-migrations`)).toEqual(first);
  });

  it('lets the client name the person by both values, and answers the former one until the change', async () => {
    const [{ subjects }] = (await answers()) as unknown as [{ subjects: readonly { subjectId: string }[] }];
    const next = subjects[0]!.subjectId;
    expect(next).not.toBe(former);
    await everyReplicaScans(next);
    for (const subject_id of [former, next]) {
      expect((await shop.login({ subject_id, push: true })).pushStatus).toBe('DISPATCHED');
      expect(await shop.subjectOf(phone, { subject_id })).toBe(former);
    }
    const stranger = await staff.newPhone();
    const login = await shop.login({ subject_id: next });
    expect((await stranger.scan(login.sessionId)).json).toMatchObject({ errorCode: 'subject_not_allowed' });
  });

  it('cannot be followed by a second one', async () => {
    await expect(cli('keys', 'rotate', 'subject', '--from', from.toISOString(), '--until', until.toISOString())).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('still holds the former key'),
    });
  });
});
