import type { AddressInfo } from 'node:net';

import type { WebhookEvent } from '#clients/relying-party';

import { consumer, type Dependencies } from './consumer-sample.js';
import { dispatcherFixture } from './dispatcher.fixture.js';

describe('the consumer in docs/webhooks.md', () => {
  let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
  let sample: ReturnType<typeof consumer>;
  let events: WebhookEvent[];
  let states: Map<string, { sequence: number; status: string }>;
  let secrets: string[];

  beforeEach(async () => {
    dispatcher = await dispatcherFixture();
    [events, states, secrets] = [[], new Map(), []];
    const dependencies: Dependencies = {
      secrets,
      inbox: { hasSeen: async (id) => events.some((event) => event.id === id), put: async (event) => void events.push(event) },
      sessions: {
        latestSequence: async (sessionId) => states.get(sessionId)?.sequence ?? -1,
        moveTo: async (sessionId, sequence, status) => void states.set(sessionId, { sequence, status }),
      },
      now: () => dispatcher.clock.now(),
    };
    sample = consumer(dependencies);
    await new Promise<void>((resolve) => sample.server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await dispatcher.close();
    sample.server.closeAllConnections();
    sample.server.close();
  });

  it('accepts real webhooks, and keeps the latest status of a session in any order of arrival', async () => {
    const { endpointId, secret } = await dispatcher.endpoint(`http://127.0.0.1:${(sample.server.address() as AddressInfo).port}/`);
    secrets.push(secret);
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.confirm(sessionId);
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded']);
    for (const event of events.toReversed()) await sample.work(event);
    expect(states.get(sessionId)).toEqual({ sequence: 2, status: 'CONFIRMED' });
  });

  it('refuses a webhook with the signature of another secret', async () => {
    secrets.push(`whsec_${Buffer.alloc(32).toString('base64')}`);
    const { endpointId } = await dispatcher.endpoint(`http://127.0.0.1:${(sample.server.address() as AddressInfo).port}/`, {
      eventTypes: ['session.completed'],
    });
    await dispatcher.sessions.append(await dispatcher.session(), { type: 'SessionCompleted', data: { at: dispatcher.clock.now() } });
    await dispatcher.settled(endpointId, ['pending']);
    expect(events).toEqual([]);
  });
});
