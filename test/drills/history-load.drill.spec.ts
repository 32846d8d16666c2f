import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { askLossAcceptance } from '#service/platform';

import { expectOk, NO_GIVEN_ENGINES, pause, RelyingParty, runDirectory, StandaloneService, Staff } from '../support/index.js';
import { Journal } from './support/journal.js';
import { metric } from './support/metric.js';
import { SteadyLoad } from './support/steady-load.js';

/** How long the load lasts, and how often the clock is moved meanwhile, in milliseconds. */
const LASTS = 600_000;
const MOVED_EVERY = 30_000;
/** How far, in seconds: sessions end and are tombstoned, and each second move begins a pass over all leaves. */
const MOVED_BY = 1_800;
/** Users who log in without a pause: more than two processors can serve. */
const USERS = 8;
/** Logins after which a phone compacts its stream (docs/specification/storage.md). */
const COMPACTED_AFTER = 32;

/** What would be an alarm. */
const ALARMS = ['history_incomplete', 'history_losses_total', 'history_place_failures_total', 'history_checkpoint_failures_total'];

let service: StandaloneService;
let staff: Staff;
const anchor = join(runDirectory(), 'history-load-anchor');

beforeAll(async () => {
  mkdirSync(anchor);
  service = await StandaloneService.start('history-load', {
    ...NO_GIVEN_ENGINES,
    ANCHOR_DIR: anchor,
    ANCHOR_TIMESTAMPS: 'true',
    LOG_LEVEL: 'warn',
  });
  staff = new Staff(service);
});
afterAll(() => service.stop());

const valueOf = (name: string): Promise<number | undefined> => metric({ url: service.baseUrls[0]! }, name);
const moveClock = async (): Promise<void> => {
  expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: MOVED_BY } }));
};

/** Events of a type in the store of a process that was ended. */
const eventsOf = (type: string): number => {
  using database = new DatabaseSync(join(service.dataDirectory, 'countersign.sqlite'), { readOnly: true });
  const found = database.prepare('SELECT COUNT(*) AS count FROM events WHERE erased = 0 AND type = ?').get(type) as { count: number };
  return found.count;
};

/** One turn of what takes events away: a person comes, logs in and is erased, a phone is revoked, a relying party is deleted. */
const comeAndGo = async (client: RelyingParty): Promise<void> => {
  const person = await staff.registerPerson();
  const phone = await staff.phoneOf(person);
  // The clock may overtake the login.
  await client.completed(phone).catch(() => undefined);
  const other = await staff.registerPerson();
  const { deviceId } = await staff.phoneOf(other);
  expect((await staff.call('DELETE', `/identities/${other.identityId}/devices/${deviceId}`)).status).toBeLessThan(300);
  const { clientId } = await RelyingParty.register(service);
  expect((await staff.call('DELETE', `/clients/${clientId}`)).status).toBeLessThan(300);
  expect((await staff.call('DELETE', `/identities/${person.identityId}`)).status).toBe(204);
};

describe('a history whose checkpoints lie outside of the store, at full load', () => {
  it(
    'misses nothing while phones compact, sessions expire and persons are erased, for ten minutes',
    async () => {
      const client = await RelyingParty.register(service);
      // A login that the clock overtakes is refused: those that end are counted.
      const load = new SteadyLoad(new Journal(), 0);
      for (let user = 0; user < USERS; user++) load.add(client, await staff.newPhone());
      const alarms: string[] = [];
      let [turns, moves] = [0, 0];
      for (const begun = performance.now(); performance.now() < begun + LASTS;) {
        await comeAndGo(client);
        turns += 1;
        if (performance.now() > begun + (moves + 1) * MOVED_EVERY) {
          await moveClock();
          moves += 1;
        }
        for (const name of ALARMS) {
          const value = await valueOf(name);
          if (value !== undefined && value > 0) alarms.push(`${name} is ${value} after ${turns} turns`);
        }
        await pause(100);
      }
      await load.stop();
      const passes = await valueOf('history_passes_total');
      const stamps = await metric({ url: service.baseUrls[0]! }, 'history_checkpoints_total', { place: 'TSA_URLS' });
      await service.stop();
      expect(alarms).toEqual([]);

      // The load was what it is for.
      const [compacted, erased] = [eventsOf('DeviceCompacted'), eventsOf('LossNoted')];
      console.log({ logins: load.logins, refusals: load.refusals.length, turns, moves, compacted, erased, passes, stamps });
      expect(load.logins).toBeGreaterThan(USERS * COMPACTED_AFTER);
      expect([compacted > 0, erased >= turns, turns > 10, moves > 10, Number(passes) >= 2, Number(stamps) >= 2]).not.toContain(false);
      // Every leaf is compared with the store that remains.
      const settings = loadPlatformSettings({ DATA_DIR: service.dataDirectory, ANCHOR_DIR: anchor });
      await expect(askLossAcceptance(settings)).rejects.toThrow('the store lacks nothing that was published');
    },
    LASTS + 300_000,
  );
});
