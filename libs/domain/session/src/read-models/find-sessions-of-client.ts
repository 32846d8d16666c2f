import type { ClientId, SessionId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import { LONGEST_SESSION, type SessionTables } from './sessions-projection.js';

/** Sessions in one query. */
const AT_ONCE = 500;

/** The sessions of one client by their index, so that the sessions of other clients cost nothing. */
export class FindSessionsOfClient {
  constructor(
    private readonly model: ReadModel<SessionTables>,
    private readonly atOnce = AT_ONCE,
  ) {}

  /**
   * Those in which something may have happened from `since` on and before `until` (epoch milliseconds), the oldest first. It shows the sessions that were stored before the call; one
   * of the last second may be missing. Throws {@link ReadModelsUnavailable}.
   */
  async *execute(clientId: ClientId, { since, until }: { readonly since: number; readonly until: number }): AsyncGenerator<SessionId, void, void> {
    await this.model.current();
    for (let after = { created_at: since - LONGEST_SESSION, session_id: '' as SessionId }; ;) {
      const rows = await this.model.read((database) =>
        database
          .selectFrom('sessions_v1')
          .select(['session_id', 'created_at'])
          .where('client_id', '=', clientId)
          .where('created_at', '<', until)
          .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'session_id'), '>', tuple(after.created_at, after.session_id)))
          .orderBy('created_at')
          .orderBy('session_id')
          .limit(this.atOnce)
          .execute(),
      );
      for (const row of rows) yield row.session_id;
      const last = rows.at(-1);
      if (!last || rows.length < this.atOnce) return;
      after = last;
    }
  }
}
