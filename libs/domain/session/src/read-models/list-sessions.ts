import { type ClientId, type Clock, InvalidRequest, type Page, type PageRequest, type SessionId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import type { SessionStatus } from '../domain/session.js';
import type { CancelReason, SignatureType } from '../domain/session.events.js';
import { oldestStored, type SessionRow, type SessionTables } from './sessions-projection.js';

/** The filter of the list. Times are epoch milliseconds. */
export interface SessionSearch {
  readonly clientId?: ClientId | undefined;
  readonly status?: SessionStatus | undefined;
  readonly signatureType?: SignatureType | undefined;
  /** Created then or later. */
  readonly since?: number | undefined;
  /** Created before. */
  readonly until?: number | undefined;
}

export interface ListedSession {
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
  readonly signatureType: SignatureType;
  readonly status: SessionStatus;
  /** Why it was cancelled. */
  readonly reason?: CancelReason;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** When the status changed last, epoch milliseconds. */
  readonly changedAt: number;
}

/** The sessions that are stored, for operators, the newest first. They follow the streams with a short delay. */
export class ListSessions {
  constructor(
    private readonly model: ReadModel<SessionTables>,
    private readonly clock: Clock,
    /** How long a session is stored after its end, in milliseconds. */
    private readonly retention: number,
  ) {}

  /** One page. Throws {@link InvalidRequest} for a cursor that is not on the list of all sessions, and {@link ReadModelsUnavailable}. */
  async execute(search: SessionSearch, { limit, after }: PageRequest<SessionId>): Promise<Page<ListedSession, SessionId>> {
    // One more tells whether there is another page.
    const rows = await this.#rows(search, after, limit + 1);
    const entries = rows.slice(0, limit).map(listed);
    const last = entries.at(-1);
    return { entries, ...(rows.length > limit && last && { next: last.sessionId }) };
  }

  #rows(search: SessionSearch, after: SessionId | undefined, limit: number): Promise<readonly SessionRow[]> {
    const oldest = oldestStored(this.clock.now(), this.retention);
    return this.model.read(async (database) => {
      const sessions = database.selectFrom('sessions_v1');
      let found = sessions.selectAll().where('created_at', '>=', Math.max(search.since ?? 0, oldest));
      if (search.until !== undefined) found = found.where('created_at', '<', search.until);
      if (search.clientId !== undefined) found = found.where('client_id', '=', search.clientId);
      if (search.status !== undefined) found = found.where('status', '=', search.status);
      if (search.signatureType !== undefined) found = found.where('signature_type', '=', search.signatureType);
      if (after !== undefined) {
        const last = await sessions.select('created_at').where('session_id', '=', after).executeTakeFirst();
        if (!last) throw new InvalidRequest('`after` is no id of this list.');
        found = found.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'session_id'), '<', tuple(last.created_at, after)));
      }
      return found.orderBy('created_at', 'desc').orderBy('session_id', 'desc').limit(limit).execute();
    });
  }
}

const listed = (row: SessionRow): ListedSession => ({
  sessionId: row.session_id,
  clientId: row.client_id,
  signatureType: row.signature_type,
  status: row.status,
  ...(row.reason !== null && { reason: row.reason }),
  createdAt: row.created_at,
  changedAt: row.changed_at,
});
