import { type EventStore, idOf, NO_STREAM, type RecordedEvent, type StreamName, streamName } from '#engines/event-store';
import type { JsonObject } from '#kernel';

import type { CloudEvent } from '#engines/message-bus';
import { type Publication, UnpublishableEvent } from '#engines/message-bus';

/** A publication for tests: things that are made and moved. */
export class ThingPublication implements Publication {
  readonly categories: readonly string[];
  readonly types = new Set(['thing.made', 'thing.moved', 'thing.broken']);

  /** Each test has a topic of its own. */
  constructor(
    private readonly store: EventStore,
    readonly topic: string,
  ) {
    this.categories = [categoryOf(topic)];
  }

  typeOf({ type }: RecordedEvent): string | undefined {
    return type === 'Unheard' ? undefined : `thing.${type.toLowerCase()}`;
  }

  async message(event: RecordedEvent): Promise<CloudEvent> {
    if (event.type === 'Unheard') throw new UnpublishableEvent(event);
    const { stream, revision, id, data } = event;
    const subject = idOf(stream);
    const type = `thing.${event.type.toLowerCase()}`;
    return { specversion: '1.0', id, source: '/things', type, subject, time: '2026-01-01T00:00:00.000Z', esrevision: revision, data };
  }

  streamOf(subject: string): StreamName {
    return streamName(categoryOf(this.topic), subject);
  }

  async messagesOf(subject: string, first: number, last: number): Promise<readonly CloudEvent[]> {
    const events = await this.store.read(this.streamOf(subject), { from: first, limit: last - first + 1 });
    return Promise.all(events.map((event) => this.message(event)));
  }

  refuse({ type }: CloudEvent): string | undefined {
    return this.types.has(type) ? undefined : 'unknown type';
  }
}

const categoryOf = (topic: string): string => topic.replace(/[^a-z0-9]/g, '');

/** Appends events of these types to the stream of a thing, and answers them as they are stored. */
export const appendThing = async (
  store: EventStore,
  topic: string,
  thing: string,
  ...types: readonly string[]
): Promise<readonly RecordedEvent[]> => {
  const stream = streamName(categoryOf(topic), thing);
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  await store.append(
    stream,
    last?.revision ?? NO_STREAM,
    types.map((type) => ({ type, data: { type } satisfies JsonObject })),
  );
  return store.read(stream, { from: (last?.revision ?? -1) + 1 });
};
