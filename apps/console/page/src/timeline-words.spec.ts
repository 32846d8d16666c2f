import { readFile } from 'node:fs/promises';

import { en } from './messages/en.js';
import { endText, stepText } from './timeline-words.js';

const SOURCE = 'libs/domain/session/src/domain/session.events.ts';

const timeline = (...events: (string | [string, string])[]) => ({
  events: events.map((event) => (typeof event === 'string' ? { type: event } : { type: event[0], reason: event[1] })),
});
const cancelled = (reason: string) => timeline('SessionCreated', ['SessionCancelled', reason]);

describe('the words of a timeline', () => {
  it('name each event of a session', async () => {
    const types = [...(await readFile(SOURCE, 'utf8')).matchAll(/readonly type: '(\w+)'/g)].map(([, type = '']) => type);
    expect(types.length).toBeGreaterThan(10);
    for (const type of types) expect(stepText(en, { type })).not.toBe(type);
  });

  it('tell each reason of a cancellation', async () => {
    const [, list = ''] = /export type CancelReason =([^;]+);/.exec(await readFile(SOURCE, 'utf8')) ?? [];
    const reasons = [...list.matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
    expect(reasons.length).toBeGreaterThan(6);
    expect(new Set(reasons.map((reason) => endText(en, cancelled(reason)))).size).toBe(reasons.length);
    for (const reason of reasons) expect(endText(en, cancelled(reason))).not.toContain(reason);
  });

  it.each([
    [['SessionCreated'], en.nowCreated],
    [['SessionCreated', 'SessionScanned'], en.nowScanned],
    [['SessionCreated', 'SessionScanned', 'SessionConfirmed'], en.nowConfirmed],
    [['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted'], en.endCompleted],
    [['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'], en.endRedeemed],
    [['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'NumberRefused'], en.endWrongNumber],
    [['SessionCreated', 'SessionExpired'], en.expiredCreated],
    [['SessionCreated', 'ScanRefused', 'SessionExpired'], en.expiredRefused],
    [['SessionCreated', 'SessionScanned', 'SessionExpired'], en.expiredScanned],
    [['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionExpired'], en.expiredConfirmed],
  ])('tell how %j stands', (events, text) => {
    expect(endText(en, timeline(...events))).toBe(text);
  });

  it('show what a newer service calls by another name as it is', () => {
    expect(stepText(en, { type: 'constructor' })).toBe('constructor');
    expect(endText(en, cancelled('TOO_TALL'))).toContain('TOO_TALL');
  });
});
