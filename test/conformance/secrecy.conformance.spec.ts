import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  allSecrets,
  Browser,
  copyStoredEvents,
  givenEventStore,
  runFiles,
  SecretSearch,
  RelyingParty,
  runDirectory,
  secret,
  secretLogLines,
  secretsIn,
  secretsInDatabases,
  type Service,
  sharedService,
  Staff,
  startsOwn,
  topology,
  word,
} from '../support/index.js';

/*
 * The last file of the run: it searches for every secret and personal datum that the suite sent or received. None may
 * stand in a log line or in the database, in any encoding. It reads the whole output of every process that the suite
 * started, and all of its DATA_DIR; the files of a topology's Kafka and Redis; and every event of an event store server.
 * Two places may hold a secret: the start-up banner, which is no log line, holds the admin token; `keys/` and
 * `admin-token` hold secrets that only the owner may read.
 */
const searched = startsOwn ? describe : describe.skip;

searched('after the whole run', () => {
  let service: Service;
  let sessionId: string;

  beforeAll(async () => {
    service = await sharedService();
    const shop = await RelyingParty.register(service);
    const phone = await new Staff(service).newPhone();
    const browser = new Browser(service);
    const login = await shop.login(
      { hosted_page: true, title: 'The last login of this run' },
      { 'idempotency-key': secret('Idempotency-Key', `key-${word()}`) },
    );
    sessionId = login.sessionId;
    await browser.claim(login.handoffToken);
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    await shop.token(await shop.redeemableCode(login), login.verifier);
  });

  it('every kind of secret was seen', () => {
    const kinds = new Set(allSecrets().map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      'Idempotency-Key',
      'PIN',
      'activation code',
      'admin token',
      'authorization code',
      'client secret',
      'code_verifier',
      'device proof',
      'handoff token',
      'login cookie',
      'personal datum',
      'pin_proof',
      'return token',
      'state',
      'title',
    ]);
  });

  it('the search finds a planted secret in every encoding', () => {
    const planted = 'Q29kZXMtYXJlLW5vdC1zdG9yZWQtaGVyZS1vci10aGVyZQ';
    const search = new SecretSearch([{ kind: 'state', value: planted }]);
    const spelt = [
      planted,
      Buffer.from(planted).toString('hex'),
      Buffer.from(`x${planted}y`).toString('base64'),
      Buffer.from(`xy${planted}z`).toString('base64url'),
      Buffer.from(planted, 'base64url').toString('hex'),
    ];
    for (const text of spelt) expect(search.in(Buffer.from(`before ${text} after`))).not.toEqual([]);
    expect(search.in(Buffer.from('nothing of the kind, but long enough to be looked through'))).toEqual([]);
  });

  it('there is something to search: log lines of every process, and its database, which tells of the last session', async () => {
    const { logs, databases } = runFiles();
    expect(logs).not.toEqual([]);
    if (topology) expect(logs).toEqual(expect.arrayContaining(topology.replicas.map(({ log }) => log)));
    else for (const log of logs) expect(databases.filter((path) => path.startsWith(log.replace(/log$/, 'data/')))).not.toEqual([]);
    const lines = logs.flatMap((log) => readFileSync(log, 'utf8').split('\n'));
    expect(lines.filter((line) => line.startsWith('{')).length).toBeGreaterThan(3);
    await copyStoredEvents();
    expect(runFiles().databases.filter((path) => readFileSync(path).includes(sessionId))).not.toEqual([]);
  });

  it('no log line holds one', () => {
    expect(secretLogLines()).toEqual([]);
  });

  it('no file of the database holds one, its WAL neither', async () => {
    expect(await secretsInDatabases()).toEqual([]);
  });

  it('no other file of DATA_DIR holds one, but those that exist to hold secrets', () => {
    expect(secretsIn(runFiles().others)).toEqual([]);
  });

  it('only the owner may read files that hold secrets', () => {
    const kept = ['', ...readdirSync(runDirectory())]
      .flatMap((name) => [join(runDirectory(), name, 'keys'), join(runDirectory(), name, 'admin-token')])
      .concat(givenEventStore()['KEY_DIR'] ?? [])
      .filter((path) => existsSync(path));
    expect(kept).not.toEqual([]);
    for (const path of kept) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  });
});
