import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { allSecrets, Browser, Needles, RelyingParty, runDirectory, secret, type Service, sharedService, Staff, startsProcesses, word } from './support/index.js';

/*
 * The last file of the run: it searches what all the others left behind for every secret and personal datum that the
 * suite sent or received. Nothing of it may stand in a log line or in the database, in no encoding: the whole output
 * of every process that the suite started is looked through, and all of its DATA_DIR. Two things may hold a secret:
 * the start-up banner, which is no log line, the admin token; the files that exist for it, `keys/` and `admin-token`,
 * what nobody but the owner may read.
 */
const searched = startsProcesses ? describe : describe.skip;

const files = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const isLog = (path: string): boolean => path.endsWith('.log');
const isDatabase = (path: string): boolean => /\.(sqlite3?|db)(-wal|-shm|-journal)?$/.test(path);
const keepsSecrets = (path: string): boolean => path.includes('/keys/') || path.endsWith('/admin-token');

searched('after the whole run', () => {
  let service: Service;
  let needles: Needles;
  let allTokens: string[];

  beforeAll(async () => {
    service = await sharedService();
    const shop = await RelyingParty.register(service);
    const phone = await new Staff(service).newPhone();
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true, title: 'The last login of this run' }, { 'idempotency-key': secret('Idempotency-Key', `key-${word()}`) });
    await browser.claim(login.handoffToken);
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    await shop.token(await shop.redeemableCode(login), login.verifier);
    needles = new Needles(allSecrets());
    allTokens = allSecrets().flatMap(({ kind, value }) => (kind === 'admin token' ? [value] : []));
  });

  const findsIn = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => needles.in(readFileSync(path)).map(({ kind, encoding, offset }) => `${kind} (${encoding}) in ${relative(runDirectory(), path)} at ${offset}`)).slice(0, 20);

  it('every kind of secret was seen', () => {
    const kinds = new Set(allSecrets().map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      'Idempotency-Key', 'PIN', 'activation code', 'admin token', 'authorization code', 'client secret', 'code_verifier', 'device proof', 'handoff token', 'login cookie',
      'personal datum', 'pin_proof', 'state', 'title',
    ]);
  });

  it('the search finds a planted secret in every encoding', () => {
    const planted = 'Q29kZXMtYXJlLW5vdC1zdG9yZWQtaGVyZS1vci10aGVyZQ';
    const search = new Needles([{ kind: 'state', value: planted }]);
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

  it('there is something to search: log lines of every process, and its database', () => {
    const paths = files(runDirectory());
    expect(paths.filter(isLog).length).toBeGreaterThan(0);
    for (const log of paths.filter(isLog)) expect(paths.filter((path) => path.startsWith(log.replace('.log', '.data')) && isDatabase(path))).not.toEqual([]);
    const lines = readFileSync(join(runDirectory(), 'shared.log'), 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('{')).length).toBeGreaterThan(3);
  });

  it('no log line holds one', () => {
    expect(findsIn(files(runDirectory()).filter(isLog)).filter((find) => !find.startsWith('admin token'))).toEqual([]);
    for (const path of files(runDirectory()).filter(isLog)) {
      const withToken = readFileSync(path, 'utf8').split('\n').filter((line) => allTokens.some((token) => line.includes(token)));
      for (const line of withToken) expect(line).toMatch(/^ +Admin token /);
    }
  });

  it('no file of the database holds one, its WAL neither', () => {
    expect(findsIn(files(runDirectory()).filter(isDatabase))).toEqual([]);
  });

  it('no other file of DATA_DIR holds one, but those that exist to hold secrets', () => {
    const others = files(runDirectory()).filter((path) => path.includes('.data/') && !isDatabase(path) && !keepsSecrets(path));
    expect(findsIn(others)).toEqual([]);
  });

  it('nobody but the owner may read what holds secrets', () => {
    const kept = readdirSync(runDirectory()).flatMap((name) => [join(runDirectory(), name, 'keys'), join(runDirectory(), name, 'admin-token')]).filter((path) => existsSync(path));
    expect(kept).not.toEqual([]);
    for (const path of kept) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  });
});
