import { connectRedis, type RedisAccess, type RedisClient, RefusalReport } from '#engines/access';

import { MemoryProofIds } from '../memory-proof-ids.js';
import { ProofIds, REMEMBERED } from '../proof-ids.js';

/** The longest wait for Redis, in milliseconds. */
const ANSWER_LIMIT = 250;

/** The proof ids that any replica has seen. While Redis is unavailable, each replica uses its own memory. */
export class RedisProofIds extends ProofIds {
  readonly #redis: RedisClient;
  readonly #own = new MemoryProofIds();
  readonly #refusals: RefusalReport;

  /** Calls `report` with a line for the log when Redis refuses this service. The service still accepts the phones. */
  constructor(access: RedisAccess, report: (reason: string) => void) {
    super();
    this.#refusals = new RefusalReport('REDIS', report);
    this.#redis = connectRedis(access, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: ANSWER_LIMIT });
    this.#redis.on('error', () => undefined); // each call rejects
  }

  override async isNew(id: string, now: number): Promise<boolean> {
    if (!(await this.#own.isNew(id, now))) return false;
    try {
      const isFirst = (await this.#redis.set(`proof-id:${id}`, '', 'PX', REMEMBERED, 'NX')) === 'OK';
      this.#refusals.succeeded();
      return isFirst;
    } catch (error) {
      this.#refusals.failed(error);
      return true;
    }
  }

  override close(): void {
    this.#redis.disconnect();
  }
}
