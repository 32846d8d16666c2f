import type { GroupCommit } from '#engines/sqlite';
import type { Clock } from '#kernel';

import type { ReadOptions, RecordedEvent, StreamName } from '../event-store.js';
import type { RecentEvent } from './recent-event.js';
import type { RecentStreams } from './recent-streams.js';
import { recentEvent } from './recorded-event.js';
import type { EventStatements } from './statements.js';

export interface StreamReadsParts {
  readonly statements: EventStatements;
  readonly recent: RecentStreams;
  readonly commits: Pick<GroupCommit, 'flushing'>;
  readonly clock: Clock;
}

/** Reads of streams, from memory or from the file. Memory has what is on disk. The file also shows a commit whose flush has not ended: ADR 0153. */
export class StreamReads {
  constructor(private readonly parts: StreamReadsParts) {}

  /** From memory alone; undefined when the events there do not tell. */
  recent(stream: StreamName, options?: ReadOptions): readonly RecordedEvent[] | undefined {
    const { recent, clock } = this.parts;
    return options ? recent.part(stream, options, clock.now()) : recent.get(stream, clock.now());
  }

  /** Resolves when the file shows only what is on disk. Rejects when it may never do so again. */
  async flushed(): Promise<void> {
    const { commits } = this.parts;
    while (commits.flushing) await commits.flushing;
  }

  /** From memory, or else from the file. Throws the database's errors. */
  read(stream: StreamName, options?: ReadOptions): readonly RecordedEvent[] {
    const known = this.recent(stream, options);
    if (known) return known;
    const found = this.#query(stream, options);
    const { commits, recent } = this.parts;
    // The events of a commit that is not on disk are added to those in memory afterwards: they must not be there already.
    if (!commits.flushing) {
      if (!options) return recent.put(stream, found);
      recent.putPart(stream, found, options);
    }
    return found.map(({ event }) => event);
  }

  #query(stream: StreamName, { direction = 'forwards', from, limit = -1 }: ReadOptions = {}): RecentEvent[] {
    const { statements, clock } = this.parts;
    const now = clock.now();
    const rows =
      direction === 'forwards'
        ? statements.readForwards({ stream, now, from: from ?? 0, limit })
        : statements.readBackwards({ stream, now, from: from ?? null, limit });
    return rows.map((row) => recentEvent(stream, row));
  }
}
