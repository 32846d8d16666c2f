import type { JsonObject, Randomness } from '#kernel';
import { KafkaCompactedTopic, type KafkaSettings } from '#engines/message-bus';
import type { Log } from '#telemetry';

import { type ErasureLine, ErasureLines, lineIn, type PlacedLine } from '../erasure-lines.js';

/** The topic of the list. Its records: the id as the key, `{"erasedAt": …, "mac": …}` as the value. */
export const ERASURES_TOPIC = 'erasures.v1';

export interface KafkaErasureLinesParts extends KafkaSettings {
  readonly randomness: Randomness;
  readonly log: Log;
  /** Default: {@link ERASURES_TOPIC}. */
  readonly topic?: string;
}

/** The lines on a compacted topic, for all replicas of the service. Of each person it keeps the newest one, so they have no order. */
export class KafkaErasureLines extends ErasureLines {
  override readonly inOrder = false;
  readonly #topic: KafkaCompactedTopic;
  readonly #name: string;

  /** Connects with the first call. */
  constructor({ topic = ERASURES_TOPIC, ...parts }: KafkaErasureLinesParts) {
    super();
    this.#name = topic;
    this.#topic = new KafkaCompactedTopic(parts, topic);
  }

  override append({ identityId, erasedAt, mac }: ErasureLine): Promise<void> {
    return this.#topic.put(identityId, { erasedAt, ...(mac !== undefined && { mac }) });
  }

  override async all(): Promise<readonly PlacedLine[]> {
    return [...(await this.#topic.all())].flatMap(([identityId, value]) => this.#placed(identityId, value));
  }

  override close(): Promise<void> {
    return this.#topic.close();
  }

  #placed(identityId: string, value: JsonObject): readonly PlacedLine[] {
    const line = lineIn({ ...value, identityId });
    return line ? [{ ...line, place: this.#name }] : [];
  }
}
