import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';

import { eventually } from '#testkit/kernel/eventually';

import { allSecrets, type Answer, exchange, RelyingParty, SecretSearch, SigningClient, Staff } from '../support/index.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { FailureRecordingService } from './support/failure-recording-service.js';
import { Journal } from './support/journal.js';
import { filled, READ_MODEL_TABLES, isOfReadModel, sortedRows, type Tables } from './support/sql-tables.js';
import { SteadyLoad } from './support/steady-load.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/** Milliseconds: a list is back so soon after PostgreSQL is, and another replica writes so soon after the writer was killed. */
const BACK_WITHIN = 30_000;
/** Milliseconds: no promise, only a limit for a drill that hangs. A read of all tables takes a second on a busy machine; the drill compares twenty. */
const REBUILT_WITHIN = 180_000;
/** Milliseconds in which a list answers that it is unavailable. */
const REFUSED_WITHIN = 12_000;

let distributed: Distributed;
let staff: Staff;
let shop: RelyingParty;
let service: FailureRecordingService;
const load = new SteadyLoad(new Journal());
/** Every client that was registered, in order. */
const registered: string[] = [];

const server = () => distributed.topology.postgresql!;

const register = async (): Promise<RelyingParty> => {
  const client = await RelyingParty.register(service);
  registered.push(client.clientId);
  return client;
};

/** All ids of a list, page by page; the refusal where a page is refused. */
const listed = async (path: string, member: string, id: string): Promise<readonly unknown[] | Answer> => {
  const ids: unknown[] = [];
  for (let after = ''; ;) {
    const answer = await staff.call('GET', `${path}?limit=2${after}`);
    if (answer.status !== 200) return answer;
    ids.push(...(answer.json?.[member] as Record<string, unknown>[]).map((entry) => entry[id]));
    if (answer.json?.['next'] === undefined) return ids;
    after = `&after=${String(answer.json['next'])}`;
  }
};
const clientIds = () => listed('/clients', 'clients', 'clientId');

const showsAll = async (): Promise<boolean> => {
  const ids = await clientIds();
  return Array.isArray(ids) && registered.every((id) => ids.includes(id));
};

/** Whole logins that end from now on. */
const loginsGoOn = async (count: number): Promise<void> => {
  const target = load.logins + count;
  await eventually(() => load.logins >= target, { what: 'logins go on', within: 180_000 });
};

const query = async <Row>(text: string): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: server().url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
};

/** The tables that logins do not change. */
const STEADY = ['clients_v3', 'identities_v3', 'devices_v3', 'subjects_v3', 'erasures_v3', 'certificates_v3', 'deliveries_v1'];
const steadyRows = async (): Promise<unknown> => Promise.all(STEADY.map((table) => query(`SELECT * FROM ${table} ORDER BY 1`)));

const allTables = async (): Promise<Tables> => {
  const names = await query<{ name: string }>("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1");
  const rows = names
    .filter(({ name }) => isOfReadModel(name))
    .map(async ({ name }) => [name, sortedRows(await query<object>(`SELECT * FROM ${name}`))]);
  return Object.fromEntries(await Promise.all(rows)) as Tables;
};

/** The tables once they have not changed for a while. */
const settledTables = async (): Promise<Tables> => {
  let [last, same] = [await allTables(), 0];
  await eventually(
    async () => {
      const now = await allTables();
      same = isDeepStrictEqual(now, last) ? same + 1 : 0;
      last = now;
      return same >= 20;
    },
    { what: 'the tables stay as they are', within: REBUILT_WITHIN },
  );
  return last;
};

const registryAnswers = (path: string): Promise<readonly number[]> =>
  Promise.all(distributed.topology.of('registry').map(async ({ url }) => (await exchange(url, { method: 'GET', path })).status));

beforeAll(async () => {
  distributed = await startDistributed('postgresql', {}, { kills: ['POSTGRES_URL'], replicated: ['registry', 'webhook-dispatcher'] });
  service = new FailureRecordingService(distributed.service);
  staff = new Staff(service);
  shop = await register();
  for (let number = 0; number < 4; number++) await register();
  load.add(shop, await staff.newPhone());
});

afterAll(async () => {
  await load.stop();
  await distributed?.topology.kill();
});

describe('given users who keep logging in', () => {
  it('lists show all registered clients', async () => {
    await eventually(showsAll, { what: 'the list shows all', within: BACK_WITHIN });
  });

  it('without PostgreSQL, lists answer 503 with Retry-After, and logins and registrations go on', async () => {
    await server().kill();
    const began = performance.now();
    const answer = (await clientIds()) as Answer;
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
    expect(performance.now() - began).toBeLessThan(REFUSED_WITHIN);
    const newcomer = await register();
    expect((await staff.call('GET', `/clients/${newcomer.clientId}`)).status).toBe(200);
    await loginsGoOn(5);
    expect([await registryAnswers('/livez'), await registryAnswers('/readyz')]).toEqual([
      [200, 200],
      [200, 200],
    ]);
  });

  it('with PostgreSQL back, lists show what was registered meanwhile', async () => {
    await server().start();
    await eventually(showsAll, { what: 'the list shows all again', within: BACK_WITHIN });
    // Another projection, which catches up separately.
    await eventually(async () => (await query('SELECT subject_id FROM subjects_v3')).length === 1, {
      what: 'the subjectId of the first login',
      within: BACK_WITHIN,
    });
  });

  it('with every table dropped, the same rows are built anew', async () => {
    const before = await steadyRows();
    await query('DROP SCHEMA public CASCADE');
    await query('CREATE SCHEMA public');
    await loginsGoOn(3);
    await eventually(showsAll, { what: 'the list is built anew', within: BACK_WITHIN });
    // A table that no process has made again yet cannot be read.
    const isSame = async (): Promise<boolean> => isDeepStrictEqual(await steadyRows().catch(() => undefined), before);
    await eventually(isSame, { what: 'all is built anew', within: REBUILT_WITHIN }).catch(() => undefined);
    expect(await steadyRows()).toEqual(before);
  });

  it('with the writing processes killed, others take over', async () => {
    const { topology } = distributed;
    const [first, second] = topology.of('registry');
    const killed = [first!, ...topology.of('webhook-dispatcher')];
    for (const replica of killed) await replica.kill();
    await register();
    await eventually(showsAll, { what: 'the registry that is left writes', within: BACK_WITHIN });
    await second!.kill();
    await first!.start();
    await register();
    await eventually(showsAll, { what: 'the registry that was started writes', within: BACK_WITHIN });
    await Promise.all([second!, ...topology.of('webhook-dispatcher')].map((replica) => replica.start()));
  });

  it('no login was refused', async () => {
    await load.stop();
    expect(load.refusals).toEqual([]);
    expect(load.logins).toBeGreaterThan(8);
  });
});

describe('given logins, a signature, webhooks, a revoked phone and an erasure', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
  });
  afterAll(() => receiver.close());

  it('a dump of PostgreSQL holds nothing personal and no secret in clear', async () => {
    const client = await register();
    await Endpoint.add(staff, client, { name: 'shop', receiver });
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    await SigningClient.of(client).completed(phone, { title: 'A contract about a house' });
    const pushed = await client.login({ push: true, subject_id: await client.subjectOf(phone) });
    expect(pushed.pushStatus).toBe('DISPATCHED');
    const other = await staff.registerPerson();
    const { deviceId } = await staff.phoneOf(other);
    await staff.ask('DELETE', `/identities/${other.identityId}/devices/${deviceId}`);
    expect((await staff.call('DELETE', `/identities/${person.identityId}`)).status).toBe(204);
    expect(filled(await settledTables())).toEqual(READ_MODEL_TABLES);
    const { stdout } = await promisify(execFile)('pg_dump', ['--inserts', server().url], { encoding: 'buffer', maxBuffer: 2 ** 28 });
    expect(new SecretSearch(allSecrets()).in(stdout)).toEqual([]);
    expect(stdout.includes(pushed.sessionId)).toBe(true);
  });

  it('every table has the same rows when it is dropped once more', async () => {
    const before = await settledTables();
    await query('DROP SCHEMA public CASCADE');
    await query('CREATE SCHEMA public');
    const isSame = async (): Promise<boolean> => isDeepStrictEqual(await allTables().catch(() => undefined), before);
    await eventually(isSame, { what: 'all is built anew', within: REBUILT_WITHIN }).catch(() => undefined);
    expect(await allTables()).toEqual(before);
  });
});
