import { readFile } from 'node:fs/promises';

import type { ClientId, DeviceId } from '#kernel';

import type { PortalPlace } from './portal-membership.js';
import { isTrusted, type PhoneFacts, PORTAL_PHONES_EVENTS, portalPhonesDecider, type PortalPhonesEvent, trustedFrom } from './portal-phones.js';

const NOW = Date.UTC(2026, 0, 10);
const DAY = 24 * 3_600_000;
const [JOINED, EARLIER, LATER, OTHER] = ['joined', 'earlier', 'later', 'other'] as unknown as readonly [DeviceId, DeviceId, DeviceId, DeviceId];
const SHOP = 'shop' as ClientId;
const MEMBERSHIP = { deviceId: JOINED, since: NOW - 3 * DAY, scope: { roles: ['read'] } } as const;
const IN_SHOP = { ...MEMBERSHIP, scope: { clientId: SHOP, role: 'owner' } } as const;

const state = (...events: readonly PortalPhonesEvent[]) =>
  events.reduce((before, event) => portalPhonesDecider.evolve(before, { ...event, id: '' }), portalPhonesDecider.initial);
const admitted = (deviceId: DeviceId, by: DeviceId): PortalPhonesEvent => ({ type: 'PhoneAdmitted', data: { at: NOW, deviceId, by } });
const stopped = (deviceId: DeviceId, place?: PortalPlace): PortalPhonesEvent => ({
  type: 'PhoneStopped',
  data: { at: NOW, deviceId, by: 'an owner', ...(place && { place }) },
});

const facts = (events: readonly PortalPhonesEvent[] = [], { now = NOW, gone = [] as readonly DeviceId[] } = {}): PhoneFacts => ({
  decided: state(...events),
  enrolledAt: new Map([
    [EARLIER, NOW - 5 * DAY],
    [JOINED, NOW - 4 * DAY],
    [LATER, NOW],
    [OTHER, NOW],
  ]),
  isGone: (deviceId) => gone.includes(deviceId),
  now,
  wait: DAY,
});
const trusts = (deviceId: DeviceId, ...given: Parameters<typeof facts>) => isTrusted(MEMBERSHIP, deviceId, facts(...given));

describe('a phone of a member', () => {
  it('of the joining acts at once, until it is gone', () => {
    expect(trusts(JOINED)).toBe(true);
    expect(trusts(JOINED, [], { gone: [JOINED] })).toBe(false);
  });

  it('enrolled later acts after the wait, to the millisecond', () => {
    expect([trusts(LATER), trusts(LATER, [], { now: NOW + DAY - 1 }), trusts(LATER, [], { now: NOW + DAY })]).toEqual([false, false, true]);
  });

  it('enrolled before the joining never acts by waiting', () => {
    expect(trusts(EARLIER, [], { now: NOW + 1000 * DAY })).toBe(false);
    expect(trusts(EARLIER, [admitted(EARLIER, JOINED)])).toBe(true);
  });

  it('acts at once after the approval of one that acts, and not after that of one that does not', () => {
    expect(trusts(LATER, [admitted(LATER, JOINED)])).toBe(true);
    expect(trusts(LATER, [admitted(LATER, OTHER)])).toBe(false);
    expect(trusts(LATER, [admitted(LATER, OTHER), admitted(OTHER, JOINED)])).toBe(true);
  });

  it('loses what a revoked phone has approved', () => {
    const chain = [admitted(OTHER, JOINED), admitted(LATER, OTHER)];
    expect(trusts(LATER, chain, { gone: [OTHER] })).toBe(false);
    expect(trusts(EARLIER, [admitted(EARLIER, JOINED)], { gone: [JOINED] })).toBe(false);
  });

  it('does not approve itself, nor in a circle', () => {
    expect(trusts(EARLIER, [admitted(EARLIER, EARLIER)])).toBe(false);
    expect(trusts(EARLIER, [admitted(EARLIER, LATER), admitted(LATER, EARLIER)])).toBe(false);
  });

  it('that was stopped acts neither by waiting nor by an earlier approval, but by a later one', () => {
    expect(trusts(LATER, [stopped(LATER)], { now: NOW + 2 * DAY })).toBe(false);
    expect(trusts(LATER, [admitted(LATER, JOINED), stopped(LATER)])).toBe(false);
    expect(trusts(LATER, [stopped(LATER), admitted(LATER, JOINED)])).toBe(true);
  });

  it('that was stopped in one place acts in the others as before', () => {
    const waited = facts([stopped(LATER, SHOP)], { now: NOW + DAY });
    expect([isTrusted(IN_SHOP, LATER, waited), isTrusted(MEMBERSHIP, LATER, waited)]).toEqual([false, true]);
    const approved = facts([admitted(LATER, JOINED), stopped(LATER, 'staff')]);
    expect([isTrusted(IN_SHOP, LATER, approved), isTrusted(MEMBERSHIP, LATER, approved)]).toEqual([true, false]);
    const waits = facts([stopped(LATER, SHOP)]);
    expect([trustedFrom(IN_SHOP, LATER, waits), trustedFrom(MEMBERSHIP, LATER, waits)]).toEqual([undefined, NOW + DAY]);
  });

  it('stays stopped in a place after the approval of a phone that may act elsewhere alone', () => {
    // OTHER has joined the shop, and may not act for the staff.
    const inShop = { ...IN_SHOP, deviceId: OTHER };
    const events = [stopped(OTHER, 'staff'), stopped(LATER, 'staff'), admitted(LATER, OTHER)];
    const later = facts(events, { now: NOW + 2 * DAY });
    expect([isTrusted(inShop, LATER, later), isTrusted(MEMBERSHIP, LATER, later)]).toEqual([true, false]);
    expect(isTrusted(MEMBERSHIP, LATER, facts([...events, admitted(LATER, JOINED)]))).toBe(true);
  });

  it('stays stopped when the phone that has approved it afterwards is gone', () => {
    const events = [stopped(LATER), admitted(LATER, OTHER), admitted(OTHER, JOINED)];
    expect([trusts(LATER, events), trusts(LATER, events, { now: NOW + 2 * DAY, gone: [OTHER] })]).toEqual([true, false]);
  });

  it('is judged in a bounded time, however many phones have approved each other', () => {
    const ring = Array.from({ length: 60 }, (_, index) => `phone-${index}` as DeviceId);
    const events = ring.flatMap((deviceId) => ring.map((by) => admitted(deviceId, by)));
    expect(trusts(ring[0]!, events)).toBe(false);
    expect(trusts(ring[0]!, [...events, admitted(ring[59]!, JOINED)])).toBe(true);
  });
});

describe('the decisions about phones', () => {
  it('are stored, a stop once', () => {
    const stop = { type: 'StopPhone', now: NOW, deviceId: LATER, by: 'an owner' } as const;
    expect(portalPhonesDecider.decide(stop, state())).toEqual([stopped(LATER)]);
    expect(portalPhonesDecider.decide(stop, state(stopped(LATER)))).toEqual([]);
    const admit = { type: 'AdmitPhone', now: NOW, deviceId: LATER, by: JOINED } as const;
    expect(portalPhonesDecider.decide(admit, state(stopped(LATER)))).toEqual([admitted(LATER, JOINED)]);
  });

  it('are read as they were stored', async () => {
    // Stored events are read for ever: never change this file, add another one for a new version.
    const golden = JSON.parse(await readFile(new URL('portal-phones.events.v1.json', import.meta.url), 'utf8')) as PortalPhonesEvent[];
    const phone = '55555555-5555-4555-8555-555555555555';
    expect([...state(golden[0]!)]).toEqual([[phone, [{ admittedBy: '66666666-6666-4666-8666-666666666666' }]]]);
    const decisions = [{ admittedBy: '66666666-6666-4666-8666-666666666666' }, { stoppedIn: 'everywhere' }, { stoppedIn: 'staff' }];
    expect([...state(...golden)]).toEqual([[phone, decisions]]);
    expect(new Set(golden.map(({ type }) => type))).toEqual(PORTAL_PHONES_EVENTS.types);
  });

  it('of several places are stored once each, until a phone approves again', () => {
    const stop = { type: 'StopPhone', now: NOW, deviceId: LATER, by: 'an owner', place: SHOP } as const;
    const both = [stopped(LATER, SHOP), stopped(LATER, 'staff')];
    expect(portalPhonesDecider.decide(stop, state(...both))).toEqual([]);
    expect(portalPhonesDecider.decide(stop, state(stopped(LATER)))).toEqual([]);
    expect(portalPhonesDecider.decide(stop, state(stopped(LATER, 'staff')))).toEqual([stopped(LATER, SHOP)]);
    expect(portalPhonesDecider.decide(stop, state(...both, admitted(LATER, JOINED)))).toEqual([stopped(LATER, SHOP)]);
  });
});
