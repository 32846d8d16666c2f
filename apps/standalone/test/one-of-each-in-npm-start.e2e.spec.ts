import { countInstances } from '#testkit/kernel/count-instances';

import { type Class, classesIn, DECIDING, SEVERAL, SEVERAL_SHARED, SHARED, twice } from './process-classes.js';
import { newPhone, newSession, qrOf, scan, tokenOf, useSandbox } from './sandbox.fixture.js';

/** A count walks through the whole heap. Milliseconds. */
const MINUTES = 300_000;

let classes: readonly Class[];
let before: ReadonlyMap<Class, number>;
beforeAll(async () => {
  classes = await classesIn([...DECIDING, ...SHARED]);
  countInstances(classes);
  before = countInstances(classes);
}, MINUTES);
useSandbox();

const made = (): ReadonlyMap<string, number> => {
  const after = countInstances(classes);
  return new Map(classes.map((one) => [one.name, (after.get(one) ?? 0) - (before.get(one) ?? 0)]));
};

describe('the process that npm start begins', () => {
  const REASONS = new Map([...SEVERAL, ...SEVERAL_SHARED]);

  it(
    'has one of each repository, use case, queue, memory and engine',
    () => {
      const counts = made();
      expect(twice(counts, REASONS)).toEqual([]);
      expect(counts.get('StreamMemory')).toBe(2);
      const names = ['UnitOfWork', 'Sessions', 'Devices', 'Identities', 'ClientRecords', 'ConfirmSession', 'DeliveryLogs', 'SqliteEventStore'];
      expect(names.map((name) => counts.get(name))).toEqual(names.map(() => 1));
    },
    MINUTES,
  );

  it(
    'still has one of each after a login',
    async () => {
      const sessionId = await newSession();
      await scan(await newPhone('ok'), qrOf(sessionId));
      expect((await tokenOf(sessionId)).status).toBe(200);
      expect(twice(made(), REASONS)).toEqual([]);
    },
    MINUTES,
  );

  it('has several objects of those classes alone for which a reason is given', () => {
    const names = new Set(classes.map(({ name }) => name));
    expect([...REASONS.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
