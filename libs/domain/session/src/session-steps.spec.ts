import { describe, expect, it } from '@jest/globals';

import { streamName } from '#engines/event-store';

import { stepsOf } from './session-steps.js';

const session = streamName('session', 'b3d3a0c2-0d3a-4b8c-9a3e-0d7d4a1e0001');
const event = (type: string, signatureType?: string) => ({
  type,
  data: {},
  metadata: { v: 2, ...(signatureType !== undefined && { signatureType }) },
});

describe('the steps of sessions', () => {
  it.each([
    ['AUTHENTICATION', 'login'],
    ['SIGNING', 'signing'],
  ])('are counted by kind: %s', (signatureType, kind) => {
    expect(stepsOf(session, [event('SessionScanned', signatureType), event('SessionConfirmed', signatureType)])).toEqual([
      { kind, step: 'scanned' },
      { kind, step: 'confirmed' },
    ]);
  });

  it('leave out events that happen several times, those of a newer release, and those without an envelope', () => {
    const events = [event('ScanRefused', 'SIGNING'), event('constructor', 'SIGNING'), event('SessionMoved', 'SIGNING'), event('SessionCreated')];
    expect(stepsOf(session, [...events, event('SessionCreated', 'OTHER'), { type: 'SessionCreated', data: {} }])).toEqual([]);
  });

  it('are those of sessions alone', () => {
    expect(stepsOf(streamName('deliverylog', 'x'), [event('SessionCreated', 'SIGNING')])).toEqual([]);
  });
});
