import { type Decider, type DomainEvent, knownEvents } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { NO_STREAM, streamName } from '../event-store.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import type { StreamType } from './stream-type.js';
import { UnitOfWork } from './unit-of-work.js';

/** Version 2. Version 1 had the amount in whole euros, `euros`. */
interface Paid extends DomainEvent {
  readonly type: 'Paid';
  readonly data: { readonly cents: number };
}
interface Pay {
  readonly type: 'Pay';
  readonly cents: number;
}

const decider: Decider<number, Pay, Paid> = {
  initial: 0,
  knows: knownEvents<Paid>(2, { Paid: true }),
  decide: ({ cents }) => [{ type: 'Paid', data: { cents } }],
  evolve: (sum, { data }) => sum + data.cents,
};
const account: StreamType<number, Pay, Paid> = {
  category: 'account',
  decider,
  upcast: ({ id, data, metadata }) => ({
    id,
    type: 'Paid',
    data: metadata?.v === 1 ? { cents: Number(data['euros']) * 100 } : (data as Paid['data']),
  }),
};

it('brings an event of an older version into the shape of today before it is folded, and leaves what is stored', async () => {
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path: ':memory:', clock });
  const stream = streamName('account', 'a');
  await store.append(stream, NO_STREAM, [{ type: 'Paid', data: { euros: 3 }, metadata: { v: 1 } }]);
  const unitOfWork = new UnitOfWork(store, clock);
  const sum = await unitOfWork.run(async (streams) => {
    const paid = await streams.load(account, stream);
    paid.decide({ type: 'Pay', cents: 25 });
    return paid.state;
  });
  expect(sum).toBe(325);
  expect((await store.read(stream)).map(({ data, metadata }) => [data, metadata?.v])).toEqual([
    [{ euros: 3 }, 1],
    [{ cents: 25 }, 2],
  ]);
  await store.close();
});
