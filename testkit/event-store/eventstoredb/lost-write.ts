import { randomUUID } from 'node:crypto';

import type { EventStoreDBClient } from '@eventstore/db-client';
import { eventually } from '#testkit/kernel/eventually';

import { NO_STREAM, type StreamName } from '#engines/event-store';
import { openClient } from '#engines/event-store';
import type { SpawnedCluster } from './spawned-cluster.js';
import type { SpawnedTestServer } from './spawned-test-server.js';

/** An event that another writer appends on the leader alone: the leader refuses others because of it, until a failover takes it away. */
export class LostWrite {
  private constructor(
    private readonly cluster: SpawnedCluster,
    readonly leader: SpawnedTestServer,
    private readonly client: EventStoreDBClient,
    private readonly stream: StreamName,
    private readonly expected: number | typeof NO_STREAM,
  ) {}

  /**
   * Ends the followers. Resolves when the leader has written the event. Without followers it refuses others for the few seconds of its lease, so
   * the writer is connected before.
   */
  static async on(
    cluster: SpawnedCluster,
    { stream, expected, type, data }: { stream: StreamName; expected: number | typeof NO_STREAM; type: string; data: Record<string, unknown> },
  ): Promise<LostWrite> {
    const leader = await cluster.leader();
    const client = openClient(leader.connectionString);
    await client.getStreamMetadata(stream);
    await Promise.all(cluster.except(leader).map((follower) => follower.kill()));
    const marker = randomUUID();
    const lost = new LostWrite(cluster, leader, client, stream, expected);
    lost.#append(type, data, { marker }).catch(() => undefined);
    await eventually(() => leader.holds(marker), { what: 'the leader has written the event' });
    return lost;
  }

  /** Resolves when the leader has refused an append at the same revision. */
  async refusesOthers(): Promise<void> {
    const actual = this.expected === NO_STREAM ? 0 : this.expected + 1;
    const refusal: unknown = await this.#append('Other', {}, {}).catch((error: unknown) => error);
    const { type, actualVersion } = refusal as { type?: string; actualVersion?: bigint };
    if (type !== 'wrong-expected-version' || actualVersion !== BigInt(actual)) throw new Error(`the leader has not refused: ${String(refusal)}`);
  }

  /** The leader dies, and the others, who never had the event, elect another one. */
  async failOver(): Promise<void> {
    const { cluster, leader } = this;
    await leader.kill();
    await this.client.dispose();
    for (const follower of cluster.except(leader)) await cluster.restart(follower);
    await cluster.leader(cluster.except(leader));
  }

  #append(type: string, data: Record<string, unknown>, metadata: Record<string, unknown>): Promise<unknown> {
    const event = { id: randomUUID(), type, contentType: 'application/json', data, metadata } as const;
    const expectedRevision = this.expected === NO_STREAM ? NO_STREAM : BigInt(this.expected);
    return this.client.appendToStream(this.stream, event, { expectedRevision });
  }
}
