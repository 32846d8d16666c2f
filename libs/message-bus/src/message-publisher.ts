import type { CloudEvent } from './cloud-event.js';

/**
 * How far a topic reaches: by partition, the offset after the last message. Offsets only grow as long as it is the same topic: one
 * that reaches less far than it did has been lost and made anew.
 */
export type TopicReach = Readonly<Record<string, string>>;

/** The other half of a bus with a server of its own: brings messages to it. */
export abstract class MessagePublisher {
  /** Makes the topic when it is not there. */
  abstract prepare(topic: string): Promise<void>;

  /**
   * Resolves when every message is safe against the loss of a broker; answers how far the partitions that were written to reached
   * before. Messages of one subject are stored in their order, as long as calls come one after another. Throws ServiceUnavailable when that is not certain: some or all may be there, and the call is to be repeated with the same messages.
   */
  abstract publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach>;

  /** How far the topic reaches now; right after a broker was lost, an offset may be told too low for a moment. Throws ServiceUnavailable. */
  abstract reach(topic: string): Promise<TopicReach>;

  abstract close(): Promise<void>;
}

/** Whether a topic that reached `before` has lost what it held. */
export const hasShrunk = (before: TopicReach, now: TopicReach): boolean =>
  Object.entries(before).some(([partition, offset]) => partition in now && BigInt(now[partition] ?? '0') < BigInt(offset));

/** What is known after messages were added where the topic reached `start`: at least one to each partition. */
export const reachAfter = (known: TopicReach, start: TopicReach): TopicReach => ({
  ...known,
  ...Object.fromEntries(Object.entries(start).map(([partition, offset]) => [partition, String(BigInt(offset) + 1n)])),
});
