import {
  type AppendResult,
  type EventStore,
  ForwardingEventStore,
  type RecordedEvent,
  SqliteEventStore,
  type StreamName,
  UnitOfWork,
} from '#engines/event-store';
import { authenticate, STREAMS } from '#service/platform';
import { type Choose, explore, Interleaving, noStreams, type UsedStreams } from '#testkit/event-store/interleaving/explore';
import { InterleavedStore, StoreWithoutProofs } from '#testkit/event-store/interleaving/interleaved-store';
import { type LoginParties, loginParties } from '#testkit/platform/login-parties';
import { withParts } from '#testkit/platform/test-platform';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

type DeedName = keyof LoginParties['deeds'];

/** The event by which each deed takes effect. */
const EFFECTS = {
  confirm: 'SessionConfirmed',
  exchange: 'CodeRedeemed',
  revoke: 'DeviceRevoked',
  disable: 'ClientDisabled',
  erase: 'IdentityErased',
  renew: 'PersonRecorded',
} as const satisfies Partial<Record<DeedName, string>>;

type Name = keyof typeof EFFECTS;
const NAMES = Object.keys(EFFECTS) as Name[];
const PAIRS = NAMES.flatMap((one, index) => NAMES.slice(index).map((other) => [one, other] as const));

/** Two erasures have thousands of interleavings, since each of their calls concerns the other: here one of them stops once, anywhere, and goes on when the other can no more. */
const mostSwitches = (names: Two<Name>): number => (names.every((name) => name === 'erase') ? 1 : Infinity);

/** Categories of which an interleaving may leave more or less than a serial order, since nothing rests on it: links and certificates that were made and taken back. */
const LEFTOVERS = new Set(['subject', 'certificate']);

type Two<Item> = readonly [Item, Item];

interface History {
  /** Whether each deed was done, and not refused. */
  readonly done: Two<boolean>;
  /** The types of the events in each stream. */
  readonly state: string;
  /** The deeds in the order in which they took effect; those that took none are missing. */
  readonly order: readonly (0 | 1)[];
}

/** All events, in the order of the store. */
const eventsOf = async (store: EventStore): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  const leave = new AbortController();
  for await (const item of store.subscribe({ categories: STREAMS.map(({ category }) => category), signal: leave.signal })) {
    if (item === 'caught-up') break;
    events.push(item);
  }
  leave.abort();
  return events;
};

let parties: LoginParties;
let prefix: readonly RecordedEvent[];
beforeAll(async () => {
  let raw: EventStore | undefined;
  parties = await loginParties(async (clock) => (raw = new SqliteEventStore({ path: ':memory:', clock })));
  prefix = await eventsOf(raw as EventStore);
});
afterAll(async () => {
  parties.platform.stop();
  await parties.platform.close();
});

/** A new store in which everything has happened that the deeds rest on. */
const storeAfterPrefix = async (): Promise<SqliteEventStore> => {
  const store = new SqliteEventStore({ path: ':memory:', clock: parties.platform.clock });
  for (const { stream, revision, id, type, data, metadata } of prefix)
    await store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [{ type, data, ...(metadata && { metadata }) }], { ids: [id] });
  return store;
};

/** Runs the two deeds, each in a process of its own, over one store. `run` brings their calls into an order. */
const historyOf = async (
  names: Two<Name>,
  wrap: (store: EventStore, work: 0 | 1) => EventStore,
  run: (works: Two<() => Promise<void>>) => Promise<void>,
): Promise<History> => {
  const { platform, deeds } = parties;
  const store = await storeAfterPrefix();
  const stopping = new AbortController();
  const macs = { environment: platform.settings.environment, eventKeys: platform.keys.event, log: platform.log, metrics: platform.metrics };
  const projections = projectionsInMemory(authenticate(store, macs));
  const done: [boolean, boolean] = [false, false];
  const stored: (readonly [0 | 1, string])[] = [];
  const work = (index: 0 | 1) => async (): Promise<void> => {
    const noting = new NotingStore(store, (types) => stored.push(...types.map((type) => [index, type] as const)));
    const eventStore = authenticate(wrap(noting, index), macs);
    const unitOfWork = new UnitOfWork(eventStore, platform.clock);
    const process = withParts(platform, { eventStore, unitOfWork, projections, stopping: stopping.signal });
    done[index] = await deeds[names[index]](process.useCases).then(
      () => true,
      () => false,
    );
  };
  await run([work(0), work(1)]);
  const events = await eventsOf(store);
  stopping.abort();
  await projections.close();
  await store.close();
  return { done, state: stateOf(events), order: orderOf(names, done, stored) };
};

const stateOf = (events: readonly RecordedEvent[]): string => {
  const streams = new Map<StreamName, string[]>();
  for (const { stream, type } of events) streams.set(stream, [...(streams.get(stream) ?? []), type]);
  const shown = [...streams].filter(([stream]) => !LEFTOVERS.has(stream.slice(0, stream.indexOf('-'))));
  return JSON.stringify(shown.map(([stream, types]) => [stream, types]).sort());
};

/** Notes what each deed has stored, in the order of the store: an erasure takes events away again. */
class NotingStore extends ForwardingEventStore {
  constructor(
    store: EventStore,
    private readonly stored: (types: readonly string[]) => void,
  ) {
    super(store);
  }

  override async append(...given: Parameters<EventStore['append']>): Promise<AppendResult> {
    const result = await super.append(...given);
    this.stored(given[2].map(({ type }) => type));
    return result;
  }

  override async appendTogether(...given: Parameters<EventStore['appendTogether']>): Promise<readonly AppendResult[] | undefined> {
    const results = await super.appendTogether(...given);
    this.stored(given[0].flatMap(({ events }) => events.map(({ type }) => type)));
    return results;
  }
}

/** The deeds that were done, in the order of their effects. */
const orderOf = (names: Two<Name>, done: Two<boolean>, stored: readonly (readonly [0 | 1, string])[]): readonly (0 | 1)[] => {
  const effects = names.map((name, index) => stored.findIndex(([work, type]) => work === index && type === EFFECTS[name]));
  return ([0, 1] as const).filter((index) => done[index] && effects[index]! >= 0).sort((one, other) => effects[one]! - effects[other]!);
};

/** The two histories in which one deed ends before the other begins, and the streams that each uses. */
const serialHistories = async (names: Two<Name>): Promise<{ readonly serial: Two<History>; readonly known: Two<UsedStreams> }> => {
  const known: Two<UsedStreams> = [noStreams(), noStreams()];
  const inOrder = async (first: 0 | 1): Promise<History> => {
    const recorded = new Interleaving([noStreams(), noStreams()]);
    const history = await historyOf(
      names,
      (store, work) => new InterleavedStore(store, recorded.turnOf(work)),
      async (works) => {
        await works[first]();
        await works[first === 0 ? 1 : 0]();
      },
    );
    for (const work of [0, 1] as const) {
      for (const stream of recorded.used[work].read) known[work].read.add(stream);
      for (const stream of recorded.used[work].written) known[work].written.add(stream);
    }
    return history;
  };
  return { serial: [await inOrder(0), await inOrder(1)], known };
};

const isSame = (one: History, other: History): boolean => one.state === other.state && JSON.stringify(one.done) === JSON.stringify(other.done);

/** A history is serializable in the order of the store: it is the serial one in which the deeds take effect in the same order. Where only one took effect, either will do. */
const isSerializable = (history: History, [firstFirst, secondFirst]: Two<History>): boolean => {
  if (history.order.length < 2) return isSame(history, firstFirst) || isSame(history, secondFirst);
  return isSame(history, history.order[0] === 0 ? firstFirst : secondFirst);
};

/** Every interleaving of the two deeds, and those that no serial order explains. */
const interleavings = async (names: Two<Name>, wrap: (store: EventStore) => EventStore = (store) => store) => {
  const { serial, known } = await serialHistories(names);
  const wrong: History[] = [];
  const runs = await explore(async (choose: Choose) => {
    const interleaving = new Interleaving(known, names[0] === names[1]);
    const history = await historyOf(
      names,
      (store, work) => new InterleavedStore(wrap(store), interleaving.turnOf(work)),
      (works) => interleaving.run(works, choose),
    );
    if (!isSerializable(history, serial)) wrong.push(history);
  }, mostSwitches(names));
  return { runs, wrong, serial };
};

describe('two requests to two processes at the same time', () => {
  it.each(PAIRS)(
    '%s and %s: every interleaving of their calls of the store is as one after the other',
    async (...names) => {
      const { runs, wrong, serial } = await interleavings(names);
      process.stdout.write(`${names.join(' and ')}: ${runs} interleavings\n`);
      expect({ wrong, serial: wrong.length > 0 && serial }).toEqual({ wrong: [], serial: false });
    },
    600_000,
  );

  it.each([
    ['exchange', 'revoke'],
    ['exchange', 'disable'],
    ['exchange', 'erase'],
    ['renew', 'revoke'],
  ] as const)(
    '%s and %s: an interleaving that is not is found, once the commit proves no look',
    async (...names) => {
      const { wrong } = await interleavings(names, (store) => new StoreWithoutProofs(store));
      expect(wrong.length).toBeGreaterThan(0);
    },
    600_000,
  );
});
