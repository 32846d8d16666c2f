import { describe, expect, it } from '@jest/globals';

import { type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { collector } from '#testkit/message-bus/contract/fixture';
import { appendThing, ThingPublication } from '#testkit/message-bus/thing-publication';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

/** Notes the events of which it makes messages. */
class NotingPublication extends ThingPublication {
  readonly made: string[] = [];

  override message(event: RecordedEvent): Promise<CloudEvent> {
    this.made.push(event.type);
    return super.message(event);
  }
}

describe('events that a group has no handler for', () => {
  it('become no messages, are counted, and count as processed', async () => {
    const clock = new FixedClock();
    const eventStore = new SqliteEventStore({ path: ':memory:', clock });
    const publication = new NotingPublication(eventStore, 'things');
    const metrics = new Metrics();
    const bus = new EmbeddedMessageBus({
      eventStore,
      publications: [publication],
      clock,
      randomness: new SystemRandomness(),
      log: new SilentLog(),
      metrics,
    });
    const stop = new AbortController();
    const all = collector();
    const { done } = bus.consume({ topic: 'things', group: 'movers', types: ['thing.moved'], handler: all.handler, signal: stop.signal });

    await appendThing(eventStore, 'things', 'a', 'Made', 'Made', 'Moved', 'Made');
    await appendThing(eventStore, 'things', 'b', 'Moved', 'Made');
    await all.until(2);
    const [last] = (await appendThing(eventStore, 'things', 'c', 'Moved')).slice(-1);
    await all.until(3);
    stop.abort();
    await done;

    expect(all.seen).toEqual(['a/2', 'b/0', 'c/0']);
    expect(publication.made).toEqual(['Moved', 'Moved', 'Moved']);
    expect(await metrics.registry.metrics()).toMatch(/message_bus_messages_total\{[^}]*outcome="ignored"[^}]*\} 4\n/);
    const [offset] = await eventStore.read(streamName('busoffset', 'things.movers'));
    expect(offset?.data).toEqual({ position: String(last?.position), id: last?.id, marks: [] });
    await eventStore.close();
  });
});
