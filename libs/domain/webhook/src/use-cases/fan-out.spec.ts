import { type ClientId, type EndpointId, type SessionId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { ClientNotFound, WEBHOOK_EVENT_TYPES, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';
import type { CloudEvent } from '#engines/message-bus';
import type { SessionFacts } from '#domain/session';

import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import type { NewDelivery } from '../domain/delivery-request.js';
import { noticeEndpoint } from '../domain/client-notice.js';
import { FanOut } from './fan-out.js';

const clientId = '00000000-0000-4000-8000-0000000000c1' as ClientId;
const randomness = new SystemRandomness();
const DAY = 86_400_000;

let clock: FixedClock;
let registered: WebhookEndpoint[] | undefined;
let added: NewDelivery[];
let awaited: Set<SessionId>;
let fanOut: FanOut;
beforeEach(() => {
  clock = new FixedClock();
  [registered, added] = [[], []];
  const endpoints = {
    of: async () => {
      if (!registered) throw new ClientNotFound('no such client');
      return registered;
    },
  };
  const requests = { add: async (deliveries: readonly NewDelivery[]) => void added.push(...deliveries) };
  awaited = new Set();
  const notices = { isAwaited: async (_: ClientId, sessionId: SessionId) => awaited.has(sessionId) };
  fanOut = new FanOut(endpoints as unknown as WebhookEndpoints, notices, requests as unknown as DeliveryRequests, clock);
});

const endpoint = (endpointId: string): WebhookEndpoint => ({
  endpointId: endpointId as EndpointId,
  url: 'https://hooks.example.com/',
  eventTypes: WEBHOOK_EVENT_TYPES,
  disabledBecause: null,
  enabled: [{ from: 0 }],
  secrets: [],
});

const event = (at: number, type = 'session.cancelled'): CloudEvent<SessionFacts> => {
  const sessionId = randomness.uuid<SessionId>();
  return {
    specversion: '1.0',
    id: randomness.uuid(),
    source: '/sessions',
    type,
    subject: sessionId,
    time: new Date(at).toISOString(),
    esrevision: 1,
    data: { sessionId, clientId, signatureType: 'AUTHENTICATION', status: 'CANCELLED', at },
  };
};

describe('the end of a login whose client wants to be told', () => {
  it.each(['session.confirmed', 'session.cancelled', 'session.expired'])('becomes a ping, once however often the event comes: %s', async (type) => {
    const one = event(clock.now(), type);
    awaited.add(one.data.sessionId);
    await fanOut.execute(one);
    await fanOut.execute(one);
    const endpointId = noticeEndpoint(clientId, 'openid.ping');
    const message = { type: 'openid.ping', happenedAt: clock.now(), data: { sessionId: one.data.sessionId } };
    expect(added).toEqual([
      { clientId, endpointId, deliveryId: added[0]?.deliveryId, message },
      { clientId, endpointId, deliveryId: added[0]?.deliveryId, message },
    ]);
  });

  it('is no scan, and no completion by the client itself', async () => {
    for (const type of ['session.scanned', 'session.completed']) {
      const one = event(clock.now(), type);
      awaited.add(one.data.sessionId);
      await fanOut.execute(one);
    }
    expect(added).toEqual([]);
  });
});

describe('a session event', () => {
  it('becomes a delivery to each endpoint, under the same ids when it is repeated', async () => {
    registered = [endpoint('00000000-0000-4000-8000-0000000000e1'), endpoint('00000000-0000-4000-8000-0000000000e2')];
    const one = event(clock.now());
    await fanOut.execute(one);
    expect(added.map(({ endpointId }) => endpointId)).toEqual(registered.map(({ endpointId }) => endpointId));
    await fanOut.execute(one);
    expect(added.slice(2)).toEqual(added.slice(0, 2));
  });

  it('that webhooks do not announce becomes none', async () => {
    registered = [endpoint('00000000-0000-4000-8000-0000000000e1')];
    await fanOut.execute(event(clock.now(), 'session.created'));
    expect(added).toEqual([]);
  });

  it('of a client that is not registered becomes none', async () => {
    registered = undefined;
    await fanOut.execute(event(clock.now()));
    expect(added).toEqual([]);
  });

  it('is announced for 29 days, while the log still shows whether it was announced before', async () => {
    registered = [endpoint('00000000-0000-4000-8000-0000000000e1')];
    const [old, young] = [event(clock.now()), event(clock.now() + 1)];
    clock.advance(29 * DAY + 1);
    await fanOut.execute(old);
    expect(added).toEqual([]);
    await fanOut.execute(young);
    expect(added).toHaveLength(1);
  });
});
