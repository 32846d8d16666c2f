import type { Clock, IdentityId } from '#kernel';
import { type EventStore, idOf, Projection, type RecordedEvent } from '#event-store';

import type { IdentityEvent } from '../domain/identity.events.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { ErasureList } from '../erasure-list/erasure-list.js';
import { type CertificateEvent, type Certificates, endOfRevocation } from '../repositories/certificates.js';
import type { Identities } from '../repositories/identities.js';
import type { EraseIdentity } from './erase-identity.js';
import type { EraseSessions } from './erase-sessions.js';

export interface ErasureReconcilerParts {
  readonly store: EventStore;
  readonly identities: Identities;
  readonly certificates: Certificates;
  readonly erasureList: ErasureList;
  readonly eraseIdentity: EraseIdentity;
  readonly eraseSessions: EraseSessions;
  readonly clock: Clock;
  /** Ends everything that runs. */
  readonly stopping: AbortSignal;
}

/** An erasure gets this time, in milliseconds, before it counts as interrupted: a request may be working on it. */
const UNDER_WAY = 10_000;

/**
 * A restored store lacks the newest erasures, if any. So a round that finds this many persons in a row erased has found all that it lacks: more
 * than the erasures whose order on the list differs from their order in the store.
 */
const ERASED_IN_A_ROW = 20;

/**
 * Finishes the erasures that a crash or an unavailable store interrupted, and erases the sessions of erased persons, and their revoked
 * certificates when these have ended. Erases persons again who are back after a restoration. Follows `identity-*` and `certificate-*`.
 */
export class ErasureReconciler {
  /** Erasures that are not complete, with the time they began. */
  readonly #open = new Map<IdentityId, number>();
  /** Complete erasures whose sessions are still stored. */
  readonly #withSessions = new Map<IdentityId, number>();
  /** All erasures that the store has told, with the time they began. */
  readonly #told = new Map<IdentityId, number>();
  /** The ends of revoked certificates, by serial. */
  readonly #revoked = new Map<string, number>();
  #hasCheckedAll = false;
  readonly #projection: Projection<IdentityEvent | CertificateEvent>;
  /** Erasures that began before belong to a process that has ended. */
  readonly #startedAt: number;

  constructor(private readonly parts: ErasureReconcilerParts) {
    this.#startedAt = parts.clock.now();
    this.#projection = new Projection(parts.store, ['identity', 'certificate'], (event) => this.#apply(event), parts.stopping);
  }

  /** Resolves when every erasure that began before the start is known. */
  get ready(): Promise<void> {
    return this.#projection.ready;
  }

  /** The number of erasures that are not complete, as far as the store has told. */
  get open(): number {
    return this.#open.size;
  }

  /** Answers how many interrupted erasures it has finished. To be repeated. Rejects while the store is unavailable. */
  async reconcile(): Promise<number> {
    await this.ready;
    const { clock, eraseSessions, stopping } = this.parts;
    const interrupted = [...this.#open].filter(([, erasedAt]) => erasedAt <= this.#startedAt || erasedAt + UNDER_WAY <= clock.now());
    for (const [identityId] of interrupted) await this.#erase(identityId);
    await eraseSessions.execute(
      [...this.#withSessions].map(([identityId, erasedAt]) => ({ identityId, erasedAt })),
      stopping,
    );
    await this.#closeCertificates();
    return interrupted.length;
  }

  /**
   * Erases listed persons again whom the store shows as not erased: it was restored from a copy that is older than their
   * erasure. Answers how many. The first round checks the whole list, each later one its newest part. To be repeated. Rejects while the store or
   * the list is unavailable.
   */
  async reapply(): Promise<number> {
    await this.ready;
    const { identities, erasureList } = this.parts;
    const listed = await erasureList.all();
    // Erased before there was a list, or the list was lost.
    for (const [identityId, erasedAt] of this.#told) if (!listed.has(identityId)) await erasureList.add(identityId, erasedAt);
    let [count, inARow] = [0, 0];
    for (const [identityId] of [...listed].sort(([, one], [, other]) => other - one)) {
      if (this.#hasCheckedAll && inARow === ERASED_IN_A_ROW) break;
      const { status } = await identities.get(identityId);
      if (status === 'ERASED') inARow += 1;
      if (status !== 'REGISTERED') continue;
      inARow = 0;
      count += 1;
      await this.#erase(identityId);
    }
    this.#hasCheckedAll = true;
    return count;
  }

  async #closeCertificates(): Promise<void> {
    const { certificates, clock } = this.parts;
    const ended = [...this.#revoked].filter(([, end]) => end <= clock.now());
    for (const [serial] of ended) {
      await certificates.close(serial);
      this.#revoked.delete(serial);
    }
  }

  async #erase(identityId: IdentityId): Promise<void> {
    await this.parts.eraseIdentity.execute(identityId).catch((error: unknown) => {
      if (!(error instanceof IdentityNotFound)) throw error; // another process has finished it
    });
  }

  #apply({ type, data, stream }: RecordedEvent<IdentityEvent | CertificateEvent>): void {
    if (type === 'CertificateRevoked') this.#revoked.set(idOf(stream), endOfRevocation(data));
    const identityId = idOf<IdentityId>(stream);
    if (type === 'IdentityErased') {
      this.#open.set(identityId, data.at);
      this.#told.set(identityId, data.at);
    }
    if (type === 'ErasureCompleted') {
      this.#withSessions.set(identityId, this.#open.get(identityId) ?? data.at);
      this.#open.delete(identityId);
    }
    if (type === 'SessionsErased') this.#withSessions.delete(identityId);
  }
}
