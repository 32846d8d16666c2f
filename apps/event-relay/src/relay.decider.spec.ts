import { describe, expect, it } from '@jest/globals';

import { deciderSpec } from '#testkit/kernel/decider-spec';

import { STEPS_PER_HORIZON, type Relayed, relayDecider } from './relay.decider.js';

const NOW = 1_000_000;
const TTL = 15_000;
/** The position that the holder knows. */
const KNOWN = '7';

const relayed = (data: Partial<Relayed['data']> = {}): Relayed => ({
  type: 'Relayed',
  data: { owner: 'a', until: NOW + TTL, position: '7', reach: { 0: '3' }, ...data },
});
const HORIZON = 12_000_000;
const holder = { owner: 'a', now: NOW, ttl: TTL, known: KNOWN };
const given = deciderSpec(relayDecider);

describe('given no lease', () => {
  it('grants the lease, at the beginning of the store', () => {
    given()
      .when({ type: 'TakeLease', owner: 'a', now: NOW, ttl: TTL })
      .then(relayed({ position: '0', reach: {} }));
  });

  it('refuses to move the checkpoint', () => {
    given()
      .when({ ...holder, type: 'Checkpoint', progress: { position: '1', reach: {} }, horizon: HORIZON })
      .refuses('lease_lost', 'another process has taken over');
  });
});

describe('given a lease', () => {
  it('moves the checkpoint of its holder and renews the lease', () => {
    const progress = { position: '9', reach: { 0: '5' } };
    given(relayed())
      .when({ ...holder, type: 'Checkpoint', now: NOW + 1, progress, horizon: HORIZON })
      .then(relayed({ until: NOW + 1 + TTL, ...progress, former: [{ at: NOW + 1, position: '9' }] }));
  });

  it('grants the lease to another process only after its time', () => {
    given(relayed())
      .when({ type: 'TakeLease', owner: 'b', now: NOW + TTL - 1, ttl: TTL })
      .refuses('lease_held', 'another process relays');
    given(relayed())
      .when({ type: 'TakeLease', owner: 'b', now: NOW + TTL, ttl: TTL })
      .then(relayed({ owner: 'b', until: NOW + 2 * TTL }));
  });

  it('lets its holder renew after its time, as long as no other process has taken it', () => {
    given(relayed())
      .when({ ...holder, type: 'Checkpoint', now: NOW + 2 * TTL, progress: { position: '7', reach: {} }, horizon: HORIZON })
      .then(relayed({ until: NOW + 3 * TTL, reach: {}, former: [{ at: NOW + 2 * TTL, position: '7' }] }));
  });

  it('is released with the last progress, which ends a refill that it does not name', () => {
    const refill = { position: '1', until: '7', at: NOW };
    given(relayed({ refill }))
      .when({ type: 'ReleaseLease', owner: 'a', now: NOW, last: { known: KNOWN, progress: { position: '8', reach: { 0: '4' } } } })
      .then(relayed({ until: NOW, position: '8', reach: { 0: '4' } }));
    given(relayed({ refill }))
      .when({ type: 'ReleaseLease', owner: 'a', now: NOW })
      .then(relayed({ until: NOW, refill }));
  });

  it('is released only by its holder, and once', () => {
    given(relayed())
      .when({ type: 'ReleaseLease', owner: 'a', now: NOW })
      .then(relayed({ until: NOW }));
    given(relayed()).when({ type: 'ReleaseLease', owner: 'b', now: NOW }).nothing();
    given(relayed({ until: NOW }))
      .when({ type: 'ReleaseLease', owner: 'a', now: NOW })
      .nothing();
  });
});

describe('given a lease that another process has taken', () => {
  it.each(['Checkpoint', 'RefillTopic', 'BeginAnew'] as const)('refuses its former holder %s', (type) => {
    given(relayed(), relayed({ owner: 'b' }))
      .when({ ...holder, type, position: '99', progress: { position: '99', reach: {} }, horizon: HORIZON })
      .refuses('lease_lost', 'another process has taken over');
  });
});

describe('given a checkpoint before the one that its holder knows', () => {
  it.each(['Checkpoint', 'RefillTopic'] as const)('refuses %s: the store was restored from an older copy', (type) => {
    given(relayed({ position: '10' }))
      .when({ ...holder, type, known: '11', position: '12', progress: { position: '12', reach: {} }, horizon: HORIZON })
      .refuses('checkpoint_went_back', 'the store was restored from an older copy');
  });

  it('is kept when its holder releases the lease: the position that it would store is one of the lost part', () => {
    given(relayed({ position: '10' }))
      .when({ type: 'ReleaseLease', owner: 'a', now: NOW, last: { known: '11', progress: { position: '12', reach: {} } } })
      .then(relayed({ position: '10', until: NOW }));
  });

  it('lets its holder take the lease again, at the checkpoint of the copy', () => {
    given(relayed({ position: '10' }))
      .when({ type: 'TakeLease', owner: 'a', now: NOW + 1, ttl: TTL })
      .then(relayed({ position: '10', until: NOW + 1 + TTL }));
  });
});

describe('given a lost topic', () => {
  const until = NOW + TTL;

  it('fills it again from the newest former position before the horizon', () => {
    const former = [
      { at: NOW - HORIZON - 1, position: '2' },
      { at: NOW - HORIZON, position: '3' },
      { at: NOW - HORIZON + 1, position: '4' },
    ];
    given(relayed({ former }))
      .when({ ...holder, type: 'RefillTopic', position: '8', horizon: HORIZON })
      .then(relayed({ until, position: '8', reach: {}, former, refill: { position: '3', until: '8', at: NOW } }));
  });

  it('fills it again from the beginning while no former position is as old as the horizon', () => {
    const former = [{ at: NOW - HORIZON + 1, position: '4' }];
    given(relayed({ former }))
      .when({ ...holder, type: 'RefillTopic', position: '8', horizon: HORIZON })
      .then(relayed({ until, position: '8', reach: {}, former, refill: { position: '0', until: '8', at: NOW } }));
  });

  it('has nothing to fill when nothing was published since the horizon', () => {
    const former = [{ at: NOW - HORIZON, position: '7' }];
    given(relayed({ former }))
      .when({ ...holder, type: 'RefillTopic', position: '7', horizon: HORIZON })
      .then(relayed({ until, reach: {}, former }));
  });

  it('fills everything again when the store does not know the checkpoint, and forgets the former positions', () => {
    given(relayed({ former: [{ at: NOW - HORIZON, position: '3' }] }))
      .when({ ...holder, type: 'BeginAnew', position: '8' })
      .then(relayed({ until, position: '8', former: [], refill: { position: '0', until: '8', at: NOW } }));
  });
});

describe('the former positions of a checkpoint', () => {
  const STEP = HORIZON / STEPS_PER_HORIZON;
  const checkpoint = (now: number, position: string) =>
    ({ ...holder, type: 'Checkpoint', now, known: '0', progress: { position, reach: {} }, horizon: HORIZON }) as const;

  it('are a twelfth of the horizon apart', () => {
    const former = [{ at: NOW, position: '1' }];
    given(relayed({ former }))
      .when(checkpoint(NOW + STEP - 1, '9'))
      .then(relayed({ until: NOW + STEP - 1 + TTL, position: '9', reach: {}, former }));
    given(relayed({ former }))
      .when(checkpoint(NOW + STEP, '9'))
      .then(relayed({ until: NOW + STEP + TTL, position: '9', reach: {}, former: [...former, { at: NOW + STEP, position: '9' }] }));
  });

  it('stay a constant number, the oldest one as old as the horizon', () => {
    let state = relayDecider.initial;
    for (let step = 0; step < 100; step += 1) {
      const [event] = relayDecider.decide(
        step === 0 ? { type: 'TakeLease', owner: 'a', now: NOW, ttl: TTL } : checkpoint(NOW + step * STEP, String(step)),
        state,
      );
      state = event!.data;
    }
    expect(state.former).toHaveLength(STEPS_PER_HORIZON + 1);
    expect(state.former?.[0]).toEqual({ at: NOW + 99 * STEP - HORIZON, position: String(99 - STEPS_PER_HORIZON) });
  });
});
