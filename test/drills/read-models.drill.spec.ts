import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  allSecrets,
  NO_GIVEN_ENGINES,
  type Person,
  type Phone,
  RelyingParty,
  SecretSearch,
  SigningClient,
  StandaloneService,
  Staff,
} from '../support/index.js';
import { Journal } from './support/journal.js';
import { filled, READ_MODEL_TABLES, sqliteTables, type Tables } from './support/sql-tables.js';
import { SteadyLoad } from './support/steady-load.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/** Milliseconds: no promise, only a limit for a drill that hangs. */
const BUILT_WITHIN = 180_000;
const LOGINS = 6;

let service: StandaloneService;
let staff: Staff;
let shop: RelyingParty;
let receiver: WebhookReceiver;
let mari: Person;
let phone: Phone;
const load = new SteadyLoad(new Journal());

const tables = (): Tables => sqliteTables(service.dataDirectory);

const loginsGoOn = async (count: number): Promise<void> => {
  const target = load.logins + count;
  await eventually(() => load.logins >= target, { what: 'logins go on', within: 180_000 });
};

/** The tables once they have not changed for a while: consumers and webhooks have caught up. */
const settled = async (): Promise<Tables> => {
  let [last, same] = [tables(), 0];
  await eventually(
    () => {
      const now = tables();
      same = isDeepStrictEqual(now, last) ? same + 1 : 0;
      last = now;
      return same >= 20;
    },
    { what: 'the tables stay as they are', within: BUILT_WITHIN },
  );
  return last;
};

/** The secret or personal texts in the files of the read models, in tables and free pages. */
const found = (): readonly object[] => {
  const search = new SecretSearch(allSecrets());
  const files = readdirSync(service.dataDirectory).filter((name) => name.startsWith('read-models.sqlite'));
  expect(files).toContain('read-models.sqlite');
  const inFiles = files.flatMap((name) => search.in(readFileSync(join(service.dataDirectory, name))).map((find) => ({ name, ...find })));
  const inRows = Object.entries(tables()).flatMap(([name, rows]) => search.in(Buffer.from(rows.join('\n'))).map((find) => ({ name, ...find })));
  return [...inFiles, ...inRows];
};

beforeAll(async () => {
  service = await StandaloneService.start('read-models', { ...NO_GIVEN_ENGINES, SANDBOX: 'true' });
  staff = new Staff(service);
  shop = await RelyingParty.register(service);
  receiver = await WebhookReceiver.open();
  await Endpoint.add(staff, shop, { name: 'shop', receiver });
  mari = await staff.registerPerson();
  phone = await staff.phoneOf(mari);
  load.add(shop, await staff.newPhone());
});

afterAll(async () => {
  await load.stop();
  receiver.close();
  await service.stop();
});

describe('the read models in SQLite', () => {
  it('hold nothing personal and no secret in clear after logins, a signature and an erasure', async () => {
    const signingClient = await SigningClient.register(service);
    await signingClient.completed(phone, { title: 'A contract about a house' });
    const subject_id = await shop.subjectOf(phone);
    const pushed = await shop.login({ push: true, subject_id });
    expect(pushed.pushStatus).toBe('DISPATCHED');
    await loginsGoOn(LOGINS);
    expect(found()).toEqual([]);
    expect((await staff.call('DELETE', `/identities/${mari.identityId}`)).status).toBe(204);
    await loginsGoOn(1);
    expect(found()).toEqual([]);
    // The search finds what is there.
    const ids = new SecretSearch([{ kind: 'personal datum', value: pushed.sessionId }]);
    expect(ids.in(Buffer.from(tables()['session_timers_v1']!.join('\n')))).not.toEqual([]);
  });

  it('name no person by an identity or a subjectId beside a session', async () => {
    const rows = tables()['person_sessions_v1']!.join('\n');
    const identities = tables()['identities_v3']!.map((row) => (JSON.parse(row) as { identity_id: string }).identity_id);
    expect(identities.length).toBeGreaterThan(1);
    expect(identities.filter((id) => rows.includes(id))).toEqual([]);
  });

  it('are equal, every table of them, when all were rebuilt under load, and when all were lost', async () => {
    const { projections } = (await staff.ask('GET', '/projections')) as { projections: { name: string }[] };
    for (const { name } of projections) expect((await staff.call('POST', `/projections/${name}/rebuild`)).status).toBeLessThan(300);
    await loginsGoOn(LOGINS);
    const person = await staff.registerPerson();
    const { deviceId } = await staff.phoneOf(person);
    await staff.ask('DELETE', `/identities/${person.identityId}/devices/${deviceId}`);
    await load.stop();
    expect(load.refusals).toEqual([]);
    const rebuilt = await settled();
    expect(filled(rebuilt)).toEqual(READ_MODEL_TABLES);

    await service.kill();
    for (const name of readdirSync(service.dataDirectory)) if (name.startsWith('read-models.sqlite')) rmSync(join(service.dataDirectory, name));
    await service.restart();
    await eventually(() => isDeepStrictEqual(tables(), rebuilt), { what: 'the same rows are built anew', within: BUILT_WITHIN }).catch(
      () => undefined,
    );
    expect(tables()).toEqual(rebuilt);
  });
});
