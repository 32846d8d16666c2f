import type { CloudEvent } from './cloud-event.js';

/**
 * How far a topic reaches: for each partition, the offset after the last message. Offsets of a topic only grow: one that reaches less far
 * than before has been lost and created again.
 */
export type TopicReach = Readonly<Record<string, string>>;

/** The publishing half of a bus that has a server. */
export abstract class MessagePublisher {
  /**
   * Brings the topic to the settings.
   *
   * @param missing what to do about a missing topic: with `refuse`, it throws ServiceUnavailable
   */
  abstract prepare(topic: string, missing: 'create' | 'refuse'): Promise<void>;

  /**
   * Resolves when every message is safe against the loss of a broker. Answers, for the partitions written to, how far they reached before.
   * Messages of one subject keep their order, as long as the caller awaits each call. Throws ServiceUnavailable when the outcome is unknown:
   * some or all may be stored, and the caller has to repeat the call with the same messages.
   */
  abstract publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach>;

  /** How far the topic reaches now; undefined when there is none. Right after the loss of a broker an offset may be too low for a moment. Throws ServiceUnavailable. */
  abstract reach(topic: string): Promise<TopicReach | undefined>;

  /**
   * Reads the topic from these offsets (in a partition that they do not name, from its beginning) to its present ends, and calls `each` with one
   * message of a partition after another. Records that are no messages of ours are left out. Throws ServiceUnavailable, also when the signal ends the reading and
   * when `each` fails.
   */
  abstract read(topic: string, from: TopicReach, each: (message: CloudEvent) => Promise<void>, signal: AbortSignal): Promise<void>;

  abstract close(): Promise<void>;
}

/** Whether a topic that reached `before` has lost messages, or is missing now. */
export const hasShrunk = (before: TopicReach, now: TopicReach | undefined): boolean =>
  now === undefined ? Object.keys(before).length > 0 : isBehind(before, now);

const isBehind = (before: TopicReach, now: TopicReach): boolean =>
  Object.entries(before).some(([partition, offset]) => partition in now && BigInt(now[partition] ?? '0') < BigInt(offset));

/** The known reach after a publication that began at `start`: at least one message more in each of its partitions. */
export const reachAfter = (known: TopicReach, start: TopicReach): TopicReach => ({
  ...known,
  ...Object.fromEntries(Object.entries(start).map(([partition, offset]) => [partition, String(BigInt(offset) + 1n)])),
});
