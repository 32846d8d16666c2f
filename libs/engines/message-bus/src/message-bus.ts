import type { CloudEvent } from './cloud-event.js';

export interface HandoverContext {
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the outcome no longer counts: the consumer stops, was silent too long, or the message goes to another member of the group. */
  readonly signal: AbortSignal;
  /**
   * Says that the work goes on. Work that takes longer has to call it at least every ten seconds: after twenty seconds without a call the
   * attempt has failed. Rejects when the message has gone to another member of the group: the handler should stop then.
   */
  heartbeat(): Promise<void>;
}

/** Resolves when the message has been processed. May be called again with the same message: after a crash, a rebalance, a failure. */
export type MessageHandler = (message: CloudEvent, context: HandoverContext) => Promise<void>;

/** The share of a topic that one consumer of a group has. */
export interface Assignment {
  /** How many partitions the topic has. */
  readonly partitions: number;
  /** The partitions whose messages come to this consumer, from 0 on. */
  readonly owned: readonly number[];
}

export interface ConsumeOptions {
  readonly topic: string;
  /** Consumers of one group share the work and a durable offset. A new group begins with the oldest message. */
  readonly group: string;
  /** The types that the handler is called for. Other types of the topic are skipped and counted. */
  readonly types: readonly string[];
  readonly handler: MessageHandler;
  /** Ends the consumption: running handlers finish, and their outcome is committed. */
  readonly signal: AbortSignal;
  /**
   * Told the consumer's share of the topic, before the first message and at each change. While the bus is unavailable the last share counts, and another
   * member may have it by then.
   */
  readonly assigned?: (assignment: Assignment) => void;
  /**
   * For a handler that need not be quick: after a message, so many milliseconds may pass before the next ones are fetched, which then come together. The first one
   * after a pause does not wait. Kafka alone looks at it. Default: 0.
   */
  readonly linger?: number;
  /** Waits between the attempts at a message that fails, in milliseconds; afterwards it becomes a dead letter. Default: {@link RETRY_WAITS}. */
  readonly retryWaits?: readonly number[];
  /** Wait between attempts while another service is unavailable, in milliseconds. Default: {@link UNAVAILABLE_WAIT}. */
  readonly unavailableWait?: number;
}

/** Five attempts within five seconds. */
export const RETRY_WAITS: readonly number[] = [300, 600, 1_200, 2_400];

export const UNAVAILABLE_WAIT = 2_000;

export interface Consumption {
  /** Resolves after the signal, when no handler runs any more. Rejects when the consumption has failed for good. */
  readonly done: Promise<void>;
  /** For the readiness probe: resolves while messages can be consumed, rejects otherwise. */
  check(): Promise<void>;
}

/** A message that could not be delivered, stored with the reason. */
export interface DeadLetter {
  /** Never holds a secret or a personal datum. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The place where the message was read: `position 17`, `partition 2, offset 5`. */
  readonly origin: string;
  /** Absent when it could not be parsed, and of a stored event that could not be published. */
  readonly message?: CloudEvent;
  /** Of a stored event that could not be published: where it is stored. */
  readonly source?: { readonly subject: string; readonly esrevision: number };
  /** It was handed to its group again. */
  readonly redriven?: true;
}

export interface Redriven {
  readonly redriven: number;
  /** Letters without a message that this release could read or make: they stay, or become new letters. */
  readonly unreadable: number;
}

/**
 * Delivers published events to consumers. `message-bus.contract.ts` tests each promise of an implementation:
 *
 * - at least once, also over `kill -9`: the offset moves on only after the handler;
 * - in order of revision for each subject, each revision once as long as the consumer lives: duplicates are dropped, and a
 *   gap is filled from the stream;
 * - a failing message is tried again with growing waits, then stored as a dead letter, and its subject goes on. Subjects do not wait
 *   for one another. While the handler throws ServiceUnavailable, the message is tried again without limit;
 * - a message of a channel comes at least once, in no particular order;
 * - a message of unknown type, or one that cannot be parsed, becomes a dead letter at once. No message is skipped silently.
 */
export abstract class MessageBus {
  /** Starts to consume. Throws a TypeError for a topic or a type that is not published. */
  abstract consume(options: ConsumeOptions): Consumption;

  /**
   * Sends messages to a channel, each to the partition of its subject. Resolves when the loss of a broker cannot lose them any more; inside one process,
   * when the consumers have handled them. Throws ServiceUnavailable when the outcome is unknown: some or all may be stored, and the caller has to repeat
   * the call with the same messages. Throws a TypeError for an unknown channel, and for a message that the channel refuses.
   */
  abstract send(topic: string, messages: readonly CloudEvent[]): Promise<void>;

  /** The partition of a subject on a topic of so many partitions: the messages of the subject come to its owner. */
  abstract partitionOf(subject: string, partitions: number): number;

  /** The dead letters of a group, oldest first. */
  abstract deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]>;

  /**
   * Hands the dead letters of a group to this group again, each letter once, also when the group has processed later messages of its subject. Other
   * groups do not get them. A message that fails again becomes a new letter. After a crash during the call, letters may be handed over twice.
   */
  abstract redrive(topic: string, group: string): Promise<Redriven>;

  /** Resolves when all consumptions are done and connections are closed. */
  abstract close(): Promise<void>;
}
