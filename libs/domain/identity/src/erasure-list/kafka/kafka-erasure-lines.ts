import type { IdentityId, Randomness } from '#kernel';
import { KafkaCompactedTopic, type KafkaSettings } from '#engines/message-bus';
import type { Log } from '#telemetry';

import { ErasureList } from '../erasure-list.js';

/** The topic of the list. Its records: the id as the key, `{"erasedAt": …}` as the value. */
export const ERASURES_TOPIC = 'erasures.v1';

export interface KafkaErasureListParts extends KafkaSettings {
  readonly randomness: Randomness;
  readonly log: Log;
  /** Default: {@link ERASURES_TOPIC}. */
  readonly topic?: string;
}

/** The list as a compacted topic, for all replicas of the service. */
export class KafkaErasureList extends ErasureList {
  readonly #topic: KafkaCompactedTopic;

  /** Connects with the first call. */
  constructor({ topic = ERASURES_TOPIC, ...parts }: KafkaErasureListParts) {
    super();
    this.#topic = new KafkaCompactedTopic(parts, topic);
  }

  override add(identityId: IdentityId, erasedAt: number): Promise<void> {
    return this.#topic.put(identityId, { erasedAt });
  }

  override async all(): Promise<ReadonlyMap<IdentityId, number>> {
    const values = await this.#topic.all();
    return new Map([...values].map(([identityId, { erasedAt }]) => [identityId as IdentityId, Number(erasedAt)]));
  }

  override close(): Promise<void> {
    return this.#topic.close();
  }
}
