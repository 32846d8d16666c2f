import { type EventStore, UnitOfWork } from '#engines/event-store';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';
import { type LoginParties, loginParties } from '#testkit/platform/login-parties';
import { withParts } from '#testkit/platform/test-platform';

type Deeds = LoginParties['deeds'];

/** What each decision stores, and in streams of which category. */
const STORED = {
  scan: ['session', 'SessionScanned'],
  confirm: ['session', 'SessionConfirmed'],
  exchange: ['session', 'CodeRedeemed'],
  renew: ['identitydata', 'PersonRecorded'],
  block: ['personlimits', 'PersonLimitsKept'],
  subscribe: ['pushsubscriptions', 'PushSubscriptionsKept'],
} as const satisfies Partial<Record<keyof Deeds, readonly [string, string]>>;

/** What a decision rests on, and what takes it away. */
const CASES = [
  ['exchange', 'revoke'],
  ['exchange', 'disable'],
  ['exchange', 'erase'],
  ['exchange', 'exchange'],
  ['confirm', 'revoke'],
  ['confirm', 'erase'],
  ['scan', 'disable'],
  ['scan', 'revoke'],
  ['scan', 'erase'],
  ['renew', 'revoke'],
  ['renew', 'erase'],
  ['block', 'revoke'],
  ['block', 'erase'],
  ['subscribe', 'revoke'],
  ['subscribe', 'erase'],
] as const satisfies readonly (readonly [keyof typeof STORED, keyof Deeds])[];

describe.each(STORE_ENGINES)('a decision whose grounds change between its look and its append, on $engine,', ({ open, hasTransactions }) => {
  let parties: LoginParties;
  let store: ObservedStore;
  beforeEach(async () => {
    parties = await loginParties(open);
    store = new ObservedStore(parties.platform.eventStore);
  });
  afterEach(async () => {
    parties.platform.stop();
    await parties.platform.close();
  });

  /** The use cases of another process over this store. */
  const processOver = (eventStore: EventStore) => {
    const { platform } = parties;
    return withParts(platform, { eventStore, unitOfWork: new UnitOfWork(eventStore, platform.clock) }).useCases;
  };

  it.each(CASES)('%s: %s comes first, and the decision fails where a transaction proves the look', async (decision, change) => {
    const { platform, deeds } = parties;
    const [category, type] = STORED[decision];
    const stored: string[] = [];
    let changed: Promise<unknown> | undefined;
    store.before = async (streams) => {
      if (changed || !streams.some((stream) => stream.startsWith(`${category}-`))) return;
      changed = deeds[change](processOver(platform.eventStore));
      await changed;
    };
    const append = platform.eventStore.append.bind(platform.eventStore);
    const together = platform.eventStore.appendTogether.bind(platform.eventStore);
    platform.eventStore.append = (...given) => append(...given).then((result) => (stored.push(...given[2].map((event) => event.type)), result));
    platform.eventStore.appendTogether = (...given) =>
      together(...given).then((results) => {
        if (results) stored.push(...given[0].flatMap(({ events }) => events.map((event) => event.type)));
        return results;
      });

    const [outcome] = await Promise.allSettled([deeds[decision](processOver(store))]);
    expect(changed).toBeDefined();
    await changed;
    const count = stored.filter((one) => one === type).length;
    if (decision === 'exchange' && change === 'exchange') expect([outcome.status, count]).toEqual(['rejected', 1]);
    else if (hasTransactions) expect([outcome.status, count]).toEqual(['rejected', 0]);
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: expect.any(String) });
  });
});
