import { type Clock, epochSeconds, type IdentityId, type Sealer, type SessionId } from '#kernel';
import type { StreamChanges } from '#engines/event-store';
import { type Inbox, isBlocked, type PersonLimitsRecords } from '#domain/identity';
import type { FindClient } from '#domain/relying-party';

import type { SealedTerms } from '../domain/sealed-terms.js';
import type { SessionTerms } from '../domain/session.events.js';
import type { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';

export interface PendingSession {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** With the fields that a phone shows unless it is locked. */
export interface NamedPendingSession extends PendingSession {
  readonly signatureType: SessionTerms['signatureType'];
  readonly relyingPartyName: string;
  /** Only of a change of the service, which the person is asked to approve. */
  readonly change?: true;
}

/** A push between reading and waiting causes no wake-up, so read again at this interval; milliseconds. */
const REREAD_INTERVAL = 1_000;

/** The push inbox of a person: the sessions sent to the person that no device has scanned yet, without those of clients that the person has blocked. */
export class ListPendingSessions {
  constructor(
    private readonly inbox: Inbox,
    private readonly personLimits: Pick<PersonLimitsRecords, 'of'>,
    private readonly sessions: Sessions,
    private readonly changes: StreamChanges,
    private readonly findClient: FindClient,
    private readonly clock: Clock,
    private readonly sealer: Pick<Sealer, 'open'>,
  ) {}

  async execute(identityId: IdentityId): Promise<readonly PendingSession[]> {
    return (await this.#pending(identityId)).map(({ sessionId, terms }) => pendingSession(sessionId, terms));
  }

  /** The same sessions with the name of the relying party. Those of a client that was disabled or deleted are left out: no phone may open them. */
  async named(identityId: IdentityId): Promise<readonly NamedPendingSession[]> {
    const found = await Promise.all(
      (await this.#pending(identityId)).map(async ({ sessionId, terms }) => ({
        sessionId,
        terms,
        client: await this.findClient.execute(terms.clientId),
      })),
    );
    return found.flatMap(({ sessionId, terms, client }) =>
      client?.enabled
        ? [
            {
              ...pendingSession(sessionId, terms),
              signatureType: terms.signatureType,
              relyingPartyName: client.name,
              ...(this.#isChange(sessionId, terms) && { change: true }),
            },
          ]
        : [],
    );
  }

  /** Only the approval of a change has details (specification/admin.md#critical-changes). */
  #isChange(sessionId: SessionId, { sealed }: SessionTerms): boolean {
    return this.sealer.open<SealedTerms>(sealed, sessionStream(sessionId)).details !== undefined;
  }

  async #pending(identityId: IdentityId): Promise<readonly { readonly sessionId: SessionId; readonly terms: SessionTerms }[]> {
    const pushed = await this.inbox.pending(identityId);
    if (pushed.length === 0) return [];
    const limits = await this.personLimits.of(identityId);
    const ids = [...new Set(pushed.filter(({ clientId }) => !isBlocked(limits, clientId)).map(({ sessionId }) => sessionId))];
    const found = await Promise.all(ids.map(async (sessionId) => ({ sessionId, session: await this.sessions.find(sessionId) })));
    return found.flatMap(({ sessionId, session }) => (session?.status === 'PENDING' ? [{ sessionId, terms: session.terms }] : []));
  }

  /** Long polling: answers as soon as there is a session, after the milliseconds, or at the signal. */
  async wait(identityId: IdentityId, milliseconds: number, signal: AbortSignal): Promise<readonly PendingSession[]> {
    const until = this.clock.monotonic() + milliseconds;
    for (;;) {
      const pending = await this.execute(identityId);
      const left = until - this.clock.monotonic();
      if (pending.length > 0 || left <= 0 || signal.aborted) return pending;
      await this.changes.next(identityId, Math.min(left, REREAD_INTERVAL), signal);
    }
  }
}

const pendingSession = (sessionId: SessionId, { expiresAt }: SessionTerms): PendingSession => ({ sessionId, expiresAt: epochSeconds(expiresAt) });
