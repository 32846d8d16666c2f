import { describe, it } from '@jest/globals';

import { deciderSpec } from '#kernel/testing';

import { type Relayed, relayDecider } from './relay.decider.js';

const NOW = 1_000_000;
const TTL = 15_000;
/** The position that the holder knows. */
const KNOWN = '7';

const relayed = (data: Partial<Relayed['data']> = {}): Relayed => ({
  type: 'Relayed',
  data: { owner: 'a', until: NOW + TTL, position: '7', reach: { 0: '3' }, ...data },
});
const given = deciderSpec(relayDecider);

describe('given no lease', () => {
  it('grants the lease, at the beginning of the store', () => {
    given()
      .when({ type: 'TakeLease', owner: 'a', now: NOW, ttl: TTL })
      .then(relayed({ position: '0', reach: {} }));
  });

  it('refuses to move the checkpoint', () => {
    given()
      .when({ type: 'Advance', owner: 'a', now: NOW, ttl: TTL, known: KNOWN, position: '1', reach: {} })
      .refuses('lease_lost', 'another process has taken over');
  });
});

describe('given a lease', () => {
  it('moves the checkpoint of its holder and renews the lease', () => {
    given(relayed())
      .when({ type: 'Advance', owner: 'a', now: NOW + 1, ttl: TTL, known: KNOWN, position: '9', reach: { 0: '5' } })
      .then(relayed({ until: NOW + 1 + TTL, position: '9', reach: { 0: '5' } }));
  });

  it('renews the lease and leaves the checkpoint', () => {
    given(relayed())
      .when({ type: 'RenewLease', owner: 'a', now: NOW + 1, ttl: TTL, known: KNOWN })
      .then(relayed({ until: NOW + 1 + TTL }));
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
      .when({ type: 'RenewLease', owner: 'a', now: NOW + 2 * TTL, ttl: TTL, known: KNOWN })
      .then(relayed({ until: NOW + 3 * TTL }));
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
  it.each(['Advance', 'RenewLease'] as const)('refuses its former holder %s', (type) => {
    given(relayed(), relayed({ owner: 'b' }))
      .when({ type, owner: 'a', now: NOW, ttl: TTL, known: KNOWN, position: '99', reach: {} })
      .refuses('lease_lost', 'another process has taken over');
  });
});

describe('given a checkpoint before the one that its holder knows', () => {
  it.each(['Advance', 'RenewLease'] as const)('refuses %s: the store was restored from an older copy', (type) => {
    given(relayed({ position: '10' }))
      .when({ type, owner: 'a', now: NOW, ttl: TTL, known: '11', position: '12', reach: {} })
      .refuses('checkpoint_went_back', 'the store was restored from an older copy');
  });

  it('lets its holder take the lease again, at the checkpoint of the copy', () => {
    given(relayed({ position: '10' }))
      .when({ type: 'TakeLease', owner: 'a', now: NOW + 1, ttl: TTL })
      .then(relayed({ position: '10', until: NOW + 1 + TTL }));
  });
});
