import type { RecordedEvent, StreamName } from '#engines/event-store';

import type { CloudEvent } from './cloud-event.js';

/**
 * Maps the stored events of some streams to the messages of one topic. The embedded bus applies it at the consumer, the relay before Kafka.
 * The same events always give the same messages, also when they are published again.
 */
export interface Publication {
  readonly topic: string;
  /** The categories of the published streams. */
  readonly categories: readonly string[];
  /** Every type of message on the topic. */
  readonly types: ReadonlySet<string>;

  /** The message of a stored event, made from the event alone. Throws {@link UnpublishableEvent} for one of unknown type or without the members that it needs. */
  message(event: RecordedEvent): Promise<CloudEvent>;

  /** The type of the message of a stored event, without making the message. Undefined when only {@link message} tells. */
  typeOf(event: RecordedEvent): string | undefined;

  /** The stream of a subject. */
  streamOf(subject: string): StreamName;

  /** The messages of one subject with revisions from `first` to `last`, as far as a read of its stream shows them. Throws EventStoreUnavailable. */
  messagesOf(subject: string, first: number, last: number): Promise<readonly CloudEvent[]>;

  /** Why this is not a valid message of the topic: its type is unknown, or its data does not match the type. Undefined for a valid one. */
  refuse(message: CloudEvent): string | undefined;
}

/** A stored event that this version of the publication does not know: a newer version wrote it, or no service. */
export class UnpublishableEvent extends Error {
  constructor(readonly event: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>) {
    super(`events of type ${event.type} cannot be published`);
    this.name = 'UnpublishableEvent';
  }
}
