import { describe, it } from '@jest/globals';

import { deciderSpec } from '#kernel/testing';

import { type Relayed, relayDecider } from './relay.decider.js';

const NOW = 1_000_000;
const TTL = 15_000;

const relayed = (data: Partial<Relayed['data']> = {}): Relayed => ({ type: 'Relayed', data: { owner: 'a', until: NOW + TTL, position: '7', reach: { 0: '3' }, ...data } });
const given = deciderSpec(relayDecider);

describe('given that nobody has ever relayed', () => {
  it('gives the lease, from the begin of the store', () => {
    given().when({ type: 'TakeLease', owner: 'a', now: NOW, ttl: TTL }).then(relayed({ position: '0', reach: {} }));
  });

  it('lets nobody advance', () => {
    given().when({ type: 'Advance', owner: 'a', now: NOW, ttl: TTL, position: '1', reach: {} }).refuses('lease_lost', 'another process has taken over');
  });
});

describe('given a lease', () => {
  it('moves the checkpoint of its holder, and lasts for another while', () => {
    given(relayed()).when({ type: 'Advance', owner: 'a', now: NOW + 1, ttl: TTL, position: '9', reach: { 0: '5' } }).then(relayed({ until: NOW + 1 + TTL, position: '9', reach: { 0: '5' } }));
  });

  it('is renewed where it stands', () => {
    given(relayed()).when({ type: 'RenewLease', owner: 'a', now: NOW + 1, ttl: TTL }).then(relayed({ until: NOW + 1 + TTL }));
  });

  it('is nobody else\'s until its time is up', () => {
    given(relayed()).when({ type: 'TakeLease', owner: 'b', now: NOW + TTL - 1, ttl: TTL }).refuses('lease_held', 'another process relays');
    given(relayed()).when({ type: 'TakeLease', owner: 'b', now: NOW + TTL, ttl: TTL }).then(relayed({ owner: 'b', until: NOW + 2 * TTL }));
  });

  it('stays its holder\'s beyond its time, as long as nobody has taken it', () => {
    given(relayed()).when({ type: 'RenewLease', owner: 'a', now: NOW + 2 * TTL, ttl: TTL }).then(relayed({ until: NOW + 3 * TTL }));
  });

  it('is released by its holder alone, and once', () => {
    given(relayed()).when({ type: 'ReleaseLease', owner: 'a', now: NOW }).then(relayed({ until: NOW }));
    given(relayed()).when({ type: 'ReleaseLease', owner: 'b', now: NOW }).nothing();
    given(relayed({ until: NOW })).when({ type: 'ReleaseLease', owner: 'a', now: NOW }).nothing();
  });
});

describe('given a lease that somebody else has taken', () => {
  it.each(['Advance', 'RenewLease'] as const)('refuses its former holder %s', (type) => {
    given(relayed(), relayed({ owner: 'b' })).when({ type, owner: 'a', now: NOW, ttl: TTL, position: '99', reach: {} }).refuses('lease_lost', 'another process has taken over');
  });
});
