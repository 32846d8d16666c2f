import { type DomainEvent, knownEvents, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { DeclaredStreams } from './declared-streams.js';
import type { StreamName } from './event-store.js';
import { release, reserve } from './reservation.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { lastEventOf } from './unit-of-work/last-event.js';
import { UnitOfWork } from './unit-of-work/unit-of-work.js';

type Claim = DomainEvent<'Claimed', { readonly by: string }> | DomainEvent<'Freed', Record<string, never>>;

const THINGS = new DeclaredStreams({
  category: 'thing',
  owner: 'this test',
  ids: ['<uuid>'],
  events: knownEvents<Claim>(1, { Claimed: true, Freed: true }),
  retention: { truncatedBefore: ['Freed'] },
  sealed: false,
  guarded: [],
});
const CLAIMS = lastEventOf<Claim>(THINGS);
let store: SqliteEventStore;
let unitOfWork: UnitOfWork;
let stream: StreamName;
beforeEach(() => {
  const [clock, randomness] = [new FixedClock(), new SystemRandomness()];
  store = new SqliteEventStore({ path: ':memory:', clock, randomness });
  unitOfWork = new UnitOfWork(store, clock);
  stream = THINGS.of(randomness.uuid());
});
afterEach(() => store.close());

describe('reserve', () => {
  const claim = (by: string): Claim => ({ type: 'Claimed', data: { by } });
  const isFree = ({ type }: Claim): boolean => type === 'Freed';

  it('answers the claim when it is the first', async () => {
    expect(await reserve(unitOfWork, { type: CLAIMS, stream }, claim('me'))).toMatchObject(claim('me'));
    expect(await store.read(stream)).toMatchObject([claim('me')]);
  });

  it('answers the claim that came first, and stores no other', async () => {
    await reserve(unitOfWork, { type: CLAIMS, stream }, claim('me'));
    expect(await reserve(unitOfWork, { type: CLAIMS, stream }, claim('you'))).toMatchObject(claim('me'));
    expect(await store.read(stream)).toHaveLength(1);
  });

  it('gives a stream to one of many concurrent claims', async () => {
    const claimants = Array.from({ length: 20 }, (_, number) => `claimant ${number}`);
    const answers = await Promise.all(claimants.map((by) => reserve(unitOfWork, { type: CLAIMS, stream }, claim(by))));
    const [stored, ...more] = await store.read<Claim>(stream);
    expect(more).toEqual([]);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data)))).toEqual(new Set([JSON.stringify(stored?.data)]));
  });

  it('claims a stream whose newest event leaves it free', async () => {
    await reserve(unitOfWork, { type: CLAIMS, stream }, claim('me'));
    await store.append(stream, 0, [{ type: 'Freed', data: {} }]);
    expect(await reserve(unitOfWork, { type: CLAIMS, stream }, claim('you'), isFree)).toMatchObject(claim('you'));
    expect(await reserve(unitOfWork, { type: CLAIMS, stream }, claim('they'), isFree)).toMatchObject(claim('you'));
    expect(await store.read(stream)).toHaveLength(3);
  });
});

describe('release', () => {
  const claim: Claim = { type: 'Claimed', data: { by: 'me' } };
  const freed: Claim = { type: 'Freed', data: {} };
  const isMine = (last: Claim): boolean => last.type === 'Claimed' && last.data.by === 'me';

  it('ends the claim and erases it, also when it is repeated', async () => {
    await reserve(unitOfWork, { type: CLAIMS, stream }, claim);
    for (let time = 1; time <= 2; time++) await release(unitOfWork, { type: CLAIMS, stream }, freed, isMine);
    expect(await store.read(stream)).toMatchObject([freed]);
  });

  it('leaves the claim of another one', async () => {
    const other: Claim = { type: 'Claimed', data: { by: 'you' } };
    await reserve(unitOfWork, { type: CLAIMS, stream }, other);
    await release(unitOfWork, { type: CLAIMS, stream }, freed, isMine);
    expect(await store.read(stream)).toMatchObject([other]);
  });
});
