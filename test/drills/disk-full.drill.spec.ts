import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { NO_GIVEN_ENGINES } from '../support/engines.js';
import { type Answer } from '../support/http.js';
import { expectError, expectOk, type Login, type Phone, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';

const NAME = 'disk-full';
const MEGABYTE = 1024 * 1024;
/** A write can still find room in the pages that the log holds already; after so many there is none left. */
const MOST_WRITES = 20_000;

const isRoot = process.getuid?.() === 0;

/** The service's folder on a file system of its own, in memory. Only root may mount one. */
class SmallDisk {
  readonly folder = join(runDirectory(), `${NAME}.data`);
  readonly #filler = join(this.folder, 'filler');

  constructor(megabytes: number) {
    mkdirSync(this.folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', this.folder]);
  }

  /** Writes a file that takes all room to the last byte. */
  fill(): void {
    const file = openSync(this.#filler, 'w');
    for (let piece = MEGABYTE; piece >= 1;) {
      try {
        writeSync(file, Buffer.alloc(piece));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        piece = Math.floor(piece / 2);
      }
    }
    closeSync(file);
  }

  makeRoom(): void {
    rmSync(this.#filler);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }
}

(isRoot || process.env['CI'] ? describe : describe.skip)('a full disk under the store', () => {
  let disk: SmallDisk;
  let service: StandaloneService;
  let client: RelyingParty;
  let phone: Phone;
  let waiting: Login & { code: string };
  let scanned: Login;
  const stored: Login[] = [];

  beforeAll(async () => {
    disk = new SmallDisk(96);
    service = await StandaloneService.start(NAME, { ...NO_GIVEN_ENGINES, SESSION_TTL: '3600', CODE_TTL: '3600', PUSH_LIMIT: '100000' });
    const staff = new Staff(service);
    client = await RelyingParty.register(service);
    phone = await staff.newPhone();
    waiting = await client.completed(phone);
    scanned = await client.scanned(phone);
    disk.fill();
  });

  afterAll(async () => {
    await service.stop();
    disk.unmount();
  });

  /** Creates sessions until one is refused, and keeps those that were acknowledged. */
  const firstRefusal = async (): Promise<Answer> => {
    for (let count = 0; count < MOST_WRITES; count += 1) {
      const answer = await client.post();
      if (answer.status !== 200) return answer;
      stored.push(answer.json as unknown as Login);
    }
    throw new Error(`${MOST_WRITES} sessions were created on a full disk`);
  };

  it('refuses what has to be stored with 503, and says when to come again', async () => {
    const refusal = await firstRefusal();
    expectError(refusal, 503, 'service_unavailable');
    expect(refusal.headers['retry-after']).toMatch(/^\d+$/);
    expectError(await phone.confirm(scanned.sessionId), 503, 'service_unavailable');
    expectError(await phone.confirm(scanned.sessionId, { pin: phone.wrongPin() }), 503, 'service_unavailable');
    expectError(await client.token(waiting.code, waiting.verifier), 503, 'service_unavailable');
  });

  it('answers what only reads', async () => {
    expect(await client.statusOf(scanned)).toBe('SCANNED');
    for (const login of stored.slice(-20)) expect(await client.statusOf(login)).toBe('PENDING');
    expect(expectOk(await phone.show())['status']).toBe('ACTIVE');
    expectError(await client.status({ sessionId: crypto.randomUUID() }), 404, 'session_not_found');
  });

  it('goes on without a restart when there is room, and nothing refused was half done', async () => {
    disk.makeRoom();
    await eventually(async () => (await client.post()).status === 200, { what: 'a new session' });

    expectOk(await client.token(waiting.code, waiting.verifier));
    const wrong = await phone.confirm(scanned.sessionId, { pin: phone.wrongPin() });
    expect(wrong.json?.['payload']).toEqual({ attemptsLeft: 2 });
    expectOk(await phone.confirm(scanned.sessionId));
    const code = await client.redeemableCode(scanned);
    expect(expectOk(await client.token(code, scanned.verifier))['subjectId']).toBeDefined();
    expectError(await client.token(code, scanned.verifier), 400, 'invalid_grant');
  });

  it('has lost nothing that was acknowledged, and its files are sound, after a kill -9 too', async () => {
    await service.kill();
    for (const file of readdirSync(disk.folder).filter((name) => name.endsWith('.sqlite'))) {
      const database = new DatabaseSync(join(disk.folder, file));
      expect([file, database.prepare('PRAGMA integrity_check').get()]).toEqual([file, { integrity_check: 'ok' }]);
      database.close();
    }
    await service.restart();
    for (const login of stored) expect(await client.statusOf(login)).toBe('PENDING');
    expect(await client.statusOf(scanned)).toBe('COMPLETED');
  });
});
