import { type EventStore, ForwardingEventStore, type StreamName, streamName } from '#engines/event-store';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { testPlatform } from '#testkit/platform/test-platform';

import { CLIENT, MARI, registryFixture } from './registry.fixture.js';

const TRAIL = streamName('audit', 'log');
const REFUSED = { status: 503, body: { errorCode: 'service_unavailable' } };

/** A store in which the trail can be exchanged while the service runs. */
class StoreOfTwoParts extends ForwardingEventStore {
  trail: EventStore = this.store;

  override read: EventStore['read'] = (stream, options) => (options ? this.#of(stream).read(stream, options) : this.#of(stream).read(stream));
  override append: EventStore['append'] = (stream, ...rest) => this.#of(stream).append(stream, ...rest);
  override exists: EventStore['exists'] = (stream) => this.#of(stream).exists(stream);

  override async close(): Promise<void> {
    if (this.trail !== this.store) await this.trail.close();
    return super.close();
  }

  #of(stream: StreamName): EventStore {
    return stream === TRAIL ? this.trail : this.store;
  }
}

describe.each(UNLIKE_STORES)('an audit trail that lost entries while the registry runs, over $engine,', ({ open }) => {
  let store: StoreOfTwoParts;
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  beforeEach(async () => {
    const platform = await testPlatform({}, {}, async (clock) => (store = new StoreOfTwoParts(await open(clock))));
    registry = await registryFixture(platform);
    await registry.client();
    await registry.client({ name: 'Another shop' });
    expect(await registry.call('GET', '/audit')).toMatchObject({ status: 200, body: { entries: { length: 4 } } });
  });
  afterEach(() => registry.close());

  it.each([
    ['removed as a whole', async () => void (store.trail = await open(registry.platform.clock))],
    ['truncated', () => store.truncateBefore(TRAIL, 2)],
    ['tombstoned', () => store.tombstone(TRAIL)],
  ])('since it was %s, is not shown; nothing changes and no person is answered without it; the alarm counts it', async (_, lose) => {
    await lose();
    for (const page of ['', '?limit=2', '?after=2', '?after=0', '?after=9'])
      expect(await registry.call('GET', `/audit${page}`)).toMatchObject(REFUSED);
    const before = await store.read(TRAIL);
    for (let tries = 0; tries < 2; tries += 1)
      expect(await registry.call('POST', '/clients', { ...CLIENT, name: 'Registered after the loss' })).toMatchObject(REFUSED);
    expect(await registry.call('POST', '/identities', MARI)).toMatchObject(REFUSED);
    expect(await registry.call('GET', '/identities')).toMatchObject(REFUSED);
    expect(await store.read(TRAIL)).toEqual(before);
    const clients = await registry.call('GET', '/clients');
    expect(clients.status).toBe(200);
    expect(clients.text).not.toContain('Registered after the loss');
    const { values } = await registry.platform.metrics.refusedEvents.get();
    expect(values.filter(({ labels }) => labels['category'] === 'audit').reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(9);
  });
});
