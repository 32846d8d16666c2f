import type { CloudEvent } from './cloud-event.js';

export interface DeliveryContext {
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the outcome will not count any more: the consumer stops, was silent too long, or the message goes to another member of the group. */
  readonly signal: AbortSignal;
  /**
   * Says that the work goes on. To be called at least every ten seconds in work that takes longer: whoever is silent for
   * twenty has failed at this attempt. Rejects when the message has gone to another member of the group: stop then.
   */
  heartbeat(): Promise<void>;
}

/** Resolves when the message has been dealt with. May be called again with the same message: after a crash, a rebalance, a failure. */
export type MessageHandler = (message: CloudEvent, context: DeliveryContext) => Promise<void>;

export interface ConsumeOptions {
  readonly topic: string;
  /** Consumers of one group share the work and a durable offset. A new group begins with the oldest message. */
  readonly group: string;
  /** What the handler is called for. Other types of the topic are passed over and counted. */
  readonly types: readonly string[];
  readonly handler: MessageHandler;
  /** Ends the consumption: handlers under way finish, and what they did is committed. */
  readonly signal: AbortSignal;
  /** Waits between the attempts at a message that fails, in milliseconds; afterwards it becomes a dead letter. Default: {@link RETRY_WAITS}. */
  readonly retryWaits?: readonly number[];
  /** Wait between attempts while something else is away, in milliseconds. Default: {@link AWAY_WAIT}. */
  readonly awayWait?: number;
}

/** Five attempts within five seconds. */
export const RETRY_WAITS: readonly number[] = [300, 600, 1_200, 2_400];

export const AWAY_WAIT = 2_000;

export interface Consumption {
  /** Resolves after the signal, when nothing is under way any more. Rejects when the consumption broke down for good. */
  readonly done: Promise<void>;
  /** For the readiness probe: resolves while messages can be taken, rejects while not. */
  check(): Promise<void>;
}

/** A message that was given up, kept with the reason. */
export interface DeadLetter {
  /** Never holds a secret or a personal datum. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Where it lay: `position 17`, `partition 2, offset 5`. */
  readonly origin: string;
  /** Absent when it could not even be read. */
  readonly message?: CloudEvent;
}

/**
 * Hands published events to whoever reacts to them. What an implementation guarantees is written out, rule by rule, in
 * `message-bus.contract.ts`:
 *
 * - at least once, also over `kill -9`: the offset moves on only after the handler;
 * - in order of revision for each subject, each revision once as long as the consumer lives: duplicates are dropped, and a
 *   gap is filled from the stream;
 * - a failing message is tried again with growing waits, then kept as a dead letter, and its subject goes on. Subjects do not wait
 *   for one another. When the handler throws ServiceUnavailable, something else is away: it is tried until that is back;
 * - a message of unknown type, or that cannot be read, becomes a dead letter at once. Nothing is passed over silently.
 */
export abstract class MessageBus {
  /** Begins to consume. Throws a TypeError for a topic or a type that nobody publishes. */
  abstract consume(options: ConsumeOptions): Consumption;

  /** What a group has given up, oldest first. */
  abstract deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]>;

  /** Frees what the bus holds, when all consumptions are done. */
  abstract close(): Promise<void>;
}
