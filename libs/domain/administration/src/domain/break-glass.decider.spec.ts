import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import type { IdentityId, SessionId, Stored } from '#kernel';

import {
  BREAK_GLASS_EVENTS,
  type BreakGlass,
  type BreakGlassCommand,
  breakGlassDecider,
  type BreakGlassEvent,
  type BreakGlassId,
  BreakGlassRefused,
} from './break-glass.js';

const NOW = Date.UTC(2026, 0, 10);
const WAIT = 24 * 3_600_000;
const [FIRST, SECOND] = ['first', 'second'] as unknown as readonly [BreakGlassId, BreakGlassId];
const [MARI, JONAS] = ['mari', 'jonas'] as unknown as readonly [IdentityId, IdentityId];

const asked: BreakGlassEvent = { type: 'BreakGlassAsked', data: { requestId: FIRST, identityId: MARI } };
const noticed: BreakGlassEvent = { type: 'BreakGlassNoticed', data: { at: NOW, requestId: FIRST } };
const opened: BreakGlassEvent = { type: 'BreakGlassOpened', data: { at: NOW + WAIT, requestId: FIRST } };
const stopped: BreakGlassEvent = { type: 'BreakGlassStopped', data: { at: NOW, requestId: FIRST, by: 'an owner' } };

const after = (given: readonly BreakGlassEvent[]) =>
  given.reduce((state, event) => breakGlassDecider.evolve(state, { ...event, id: '' }), breakGlassDecider.initial);
const decide = (command: BreakGlassCommand, ...given: readonly BreakGlassEvent[]) => breakGlassDecider.decide(command, after(given));
const ask: BreakGlassCommand = { type: 'AskBreakGlass', requestId: SECOND, identityId: JONAS };
const use = (identityId: IdentityId): BreakGlassCommand => ({ type: 'UseBreakGlass', identityId });

describe('a break-glass', () => {
  it('is one at a time, and the person cannot be exchanged', () => {
    expect(decide(ask)).toEqual([{ type: 'BreakGlassAsked', data: { requestId: SECOND, identityId: JONAS } }]);
    for (const given of [[asked], [asked, noticed], [asked, noticed, opened]]) expect(() => decide(ask, ...given)).toThrow(BreakGlassRefused);
    expect(decide(ask, asked, stopped)).toHaveLength(1);
  });

  it('is noticed once, by the time of the service', () => {
    expect(decide({ type: 'NoticeBreakGlass', now: NOW }, asked)).toEqual([noticed]);
    expect(decide({ type: 'NoticeBreakGlass', now: NOW + 1 }, asked, noticed)).toEqual([]);
    expect(decide({ type: 'NoticeBreakGlass', now: NOW })).toEqual([]);
  });

  it('opens after the waiting time, to the millisecond, and never before a service has noticed it', () => {
    const open = (now: number): BreakGlassCommand => ({ type: 'OpenBreakGlass', now, wait: WAIT });
    expect(decide(open(NOW + WAIT - 1), asked, noticed)).toEqual([]);
    expect(decide(open(NOW + WAIT), asked, noticed)).toEqual([opened]);
    expect(decide(open(NOW + 10 * WAIT), asked)).toEqual([]);
    expect(decide(open(NOW + 2 * WAIT), asked, noticed, opened)).toEqual([]);
  });

  it('tells phones while it waits', () => {
    const told = [{ sessionId: 'one' as SessionId, identityId: JONAS }];
    const tell: BreakGlassCommand = { type: 'TellBreakGlass', now: NOW, told };
    expect(decide(tell, asked, noticed)).toEqual([{ type: 'BreakGlassTold', data: { at: NOW, requestId: FIRST, told } }]);
    for (const given of [[], [asked], [asked, noticed, opened]]) expect(decide(tell, ...given)).toEqual([]);
  });

  it('is stopped once by two replicas that saw the same one, and neither stops the next one', () => {
    const seen: BreakGlassCommand = { type: 'StopSeenBreakGlass', now: NOW, by: 'service', requestId: FIRST };
    expect(decide(seen, asked, noticed)).toEqual([{ type: 'BreakGlassStopped', data: { at: NOW, requestId: FIRST, by: 'service' } }]);
    expect(decide(seen, asked, noticed, stopped)).toEqual([]);
    const next: BreakGlassEvent = { type: 'BreakGlassAsked', data: { requestId: SECOND, identityId: JONAS } };
    expect(decide(seen, asked, noticed, stopped, next)).toEqual([]);
  });

  it('is stopped until it is used, also when it is open', () => {
    const stop: BreakGlassCommand = { type: 'StopBreakGlass', now: NOW, by: 'an owner' };
    for (const given of [[asked], [asked, noticed], [asked, noticed, opened]]) expect(decide(stop, ...given)).toEqual([stopped]);
    expect(() => decide(stop)).toThrow(BreakGlassRefused);
    expect(() => decide(stop, asked, stopped)).toThrow(BreakGlassRefused);
  });

  it('is used once, when it is open, for the person who was named', () => {
    expect(() => decide(use(MARI), asked, noticed)).toThrow(BreakGlassRefused);
    expect(() => decide(use(JONAS), asked, noticed, opened)).toThrow(BreakGlassRefused);
    const used = decide(use(MARI), asked, noticed, opened);
    expect(used).toEqual([{ type: 'BreakGlassUsed', data: { requestId: FIRST } }]);
    expect(() => decide(use(MARI), asked, noticed, opened, ...used)).toThrow(BreakGlassRefused);
  });

  it('reads its events as they were stored', async () => {
    // Stored events are read for ever: never change this file, add another one for a new version.
    const golden = await readFile(new URL('break-glass.events.v1.json', import.meta.url), 'utf8');
    const { events, states } = JSON.parse(golden) as { events: Stored<BreakGlassEvent>[]; states: BreakGlass[] };
    let state = breakGlassDecider.initial;
    expect(events.map((event) => (state = breakGlassDecider.evolve(state, event)))).toMatchObject(states);
    expect(new Set(events.map(({ type }) => type))).toEqual(BREAK_GLASS_EVENTS.types);
  });
});
