import type { RecordedEvent } from '#event-store';

import type { CloudEvent } from './cloud-event.js';

/**
 * How the stored events of some streams become the messages of one topic. The embedded bus reads it at the consumer,
 * the relay in front of Kafka: the same events give the same messages, today and when they are published again.
 */
export interface Publication {
  readonly topic: string;
  /** Of the streams whose events are published. */
  readonly categories: readonly string[];
  /** Every type of message on the topic. */
  readonly types: ReadonlySet<string>;

  /**
   * The message that tells of a stored event. Undefined when its stream has been erased and too little is left to tell.
   * Throws {@link UnpublishableEvent} for an event it does not know; EventStoreUnavailable when it has to read and cannot.
   */
  message(event: RecordedEvent): Promise<CloudEvent | undefined>;

  /** The messages of one subject with revisions from `first` to `last`, as far as its stream still holds them. */
  messagesOf(subject: string, first: number, last: number): Promise<readonly CloudEvent[]>;

  /** Why this is no message of the topic: its type is unknown, or its data is not what the type promises. Undefined when it is one. */
  refuse(message: CloudEvent): string | undefined;
}

/** A stored event that this version of the publication cannot put into words: it was written by a newer one. */
export class UnpublishableEvent extends Error {
  constructor(readonly event: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>) {
    super(`${event.type} is no event that can be published`);
    this.name = 'UnpublishableEvent';
  }
}
