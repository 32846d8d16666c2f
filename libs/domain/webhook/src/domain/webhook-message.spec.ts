import type { CloudEvent } from '#engines/message-bus';
import type { SessionFacts } from '#domain/session';
import { Secret, type SessionId } from '#kernel';

import { bodyOf, signedMessage } from './message-body.js';
import { isTooOld, LOG_RETENTION } from './retention.js';
import { webhookMessageOf } from './webhook-message.js';
import { webhookSignature } from './webhook-secret.js';

const HOUR = 3_600_000;
const AT = Date.UTC(2026, 0, 1);
const event = (type: string, facts: Partial<SessionFacts> = {}): CloudEvent<SessionFacts> => ({
  specversion: '1.0',
  id: 'e',
  source: '/sessions',
  type,
  subject: 's',
  time: new Date(AT).toISOString(),
  esrevision: 2,
  data: { sessionId: 's' as SessionId, clientId: 'c', signatureType: 'AUTHENTICATION', status: 'CONFIRMED', at: AT, ...facts },
});

describe('the message about an event of a session', () => {
  it('has the status, the kind and the place in the session, and nothing else of the event', () => {
    expect(webhookMessageOf(event('session.confirmed'))).toEqual({
      type: 'session.confirmed',
      happenedAt: AT,
      data: { sessionId: 's', status: 'CONFIRMED', signatureType: 'AUTHENTICATION', sequence: 2 },
    });
  });

  it.each(['session.scanned', 'session.completed', 'session.cancelled', 'session.expired'])('is sent of %s, of logins and of signatures', (type) => {
    expect(webhookMessageOf(event(type))).toMatchObject({ type });
    expect(webhookMessageOf(event(type, { signatureType: 'SIGNING' }))).toMatchObject({ type, data: { signatureType: 'SIGNING' } });
  });

  it('is not sent of what polling does not show: a creation, or a signature as confirmed', () => {
    expect(webhookMessageOf(event('session.created'))).toBeUndefined();
    expect(webhookMessageOf(event('session.confirmed', { signatureType: 'SIGNING' }))).toBeUndefined();
  });
});

describe('the request of an attempt', () => {
  const message = { type: 'session.expired', happenedAt: AT, data: { sessionId: 's', sequence: 1 }, traceparent: 'x' };

  it('has a body that is the same each time, with the time of the event', () => {
    expect(JSON.parse(bodyOf(message))).toEqual({
      type: 'session.expired',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { sessionId: 's', sequence: 1 },
    });
  });

  it('is signed with its id, and the second of the attempt', () => {
    const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const { headers, body } = signedMessage('d', message, [secret], AT + 1_999);
    const timestamp = AT / 1000 + 1;
    expect(body).toBe(bodyOf(message));
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Countersign-Webhooks/1',
      'webhook-id': 'd',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature({ id: 'd', timestamp, body }, [secret]),
    });
  });
});

describe('an event', () => {
  it('is too old to be announced a day before the log forgets its delivery', () => {
    const oldest = AT - LOG_RETENTION + 24 * HOUR;
    expect([isTooOld(oldest, AT), isTooOld(oldest - 1, AT)]).toEqual([false, true]);
    expect(LOG_RETENTION).toBe(30 * 24 * HOUR);
  });
});
