import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { WebhookEvent } from '#clients/relying-party';

import { consumer, type Dependencies } from './consumer-sample.js';
import { dispatcherFixture } from './dispatcher.fixture.js';

const ROOT = join(import.meta.dirname, '../../..');

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

describe('docs/webhooks.md', () => {
  const guide = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const samples = [...guide.matchAll(/<!-- slice of (\S+) -->\n```\w+\n(.*?)```/gs)].map(([, file = '', code = '']) => ({ file, code }));

  it('shows only programs that are slices of a tested file', () => {
    expect(samples.length).toBe([...guide.matchAll(/^```ts$/gm)].length);
    expect(samples.length).toBeGreaterThan(1);
  });

  it.each(samples)('shows a slice of $file', ({ file, code }) => {
    expect(unindented(readFileSync(join(ROOT, file), 'utf8'))).toContain(unindented(code));
  });
});

/** A slice may have less indentation than in its file. */
const unindented = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
