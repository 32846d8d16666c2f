import type { Clock, IdentityId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { ErasureList } from '../erasure-list/erasure-list.js';
import { type IdentityTables, STAGES } from '../read-models/identities-projection.js';
import type { Identities } from '../repositories/identities.js';
import type { CloseEndedCertificates } from './close-ended-certificates.js';
import type { EraseIdentity } from './erase-identity.js';
import type { EraseSessions } from './erase-sessions.js';
import { erasuresAfter } from '../read-models/erasure-rows.js';
import { type ListReports, TellListFaults } from './tell-list-faults.js';

export interface ErasureReconcilerParts {
  readonly model: ReadModel<IdentityTables>;
  readonly identities: Identities;
  readonly erasureList: ErasureList;
  readonly reports: ListReports;
  readonly eraseIdentity: EraseIdentity;
  readonly eraseSessions: EraseSessions;
  readonly closeEndedCertificates: CloseEndedCertificates;
  readonly clock: Clock;
  /** Aborted when the process stops. */
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
 * Finishes the erasures that a crash or an unavailable store interrupted, and erases the sessions of erased persons, and every certificate that
 * has ended. Erases again the persons whom a restored store shows. Finds all of them in the read model, page by page.
 */
export class ErasureReconciler {
  /** The erasures up to this place are on the list, which had so many entries then. */
  #listed = { place: -1, entries: 0 };
  /** All that are listed; undefined before the first round. */
  #newestFirst: readonly IdentityId[] | undefined;
  /** Persons on the list whose erasure the read model lacked, and whose stream has not been read since. */
  #lacking = new Set<IdentityId>();
  /** Erasures that began before belong to a process that has ended. */
  readonly #startedAt: number;
  readonly #tellFaults: TellListFaults;

  constructor(private readonly parts: ErasureReconcilerParts) {
    this.#startedAt = parts.clock.now();
    this.#tellFaults = new TellListFaults(parts.reports.fault);
  }

  /** Answers how many interrupted erasures it has finished. To be repeated. Rejects while the store or the read model is unavailable. */
  async reconcile(): Promise<number> {
    await this.parts.model.current();
    const { clock, eraseSessions, closeEndedCertificates, stopping } = this.parts;
    const begunBefore = Math.max(this.#startedAt, clock.now() - UNDER_WAY);
    let count = 0;
    for await (const { identity_id } of this.#erasures({ stage: STAGES.open, begunBefore })) {
      await this.#erase(identity_id);
      count += 1;
    }
    await closeEndedCertificates.execute(stopping);
    const persons = [];
    for await (const { identity_id, erased_at } of this.#erasures({ stage: STAGES.sessions }))
      persons.push({ identityId: identity_id, erasedAt: erased_at });
    await eraseSessions.execute(persons, stopping);
    return count;
  }

  /**
   * Erases listed persons again whom the store shows as not erased: it was restored from a copy that is older than their
   * erasure. Answers how many. The first round compares the whole list with the read model. Every round reads the streams of the newest persons of the list, of those
   * that are new on it, and of those that the read model lacks. To be repeated. Rejects while the store, the list or the read model is unavailable.
   */
  async reapply(): Promise<number> {
    await this.parts.model.current();
    const { identities, erasureList } = this.parts;
    const { entries: listed, faults } = await erasureList.read();
    this.#noteNew(listed);
    await this.#complete(listed);
    this.#tellFaults.execute(faults);
    if (this.#newestFirst?.length !== listed.size)
      this.#newestFirst = [...listed].sort(([, one], [, other]) => other - one).map(([identityId]) => identityId);
    const back: IdentityId[] = [];
    let inARow = 0;
    for (const identityId of this.#newestFirst) {
      if (inARow >= ERASED_IN_A_ROW && this.#lacking.size === 0) break;
      if (inARow >= ERASED_IN_A_ROW && !this.#lacking.has(identityId)) continue;
      const { status } = await identities.get(identityId);
      if (status === 'ERASED') inARow += 1;
      if (status === 'REGISTERED') {
        inARow = 0;
        back.push(identityId);
      } else this.#lacking.delete(identityId);
    }
    // The newest person comes last. So after a crash in between, the newest persons on the list still show that the store was restored.
    for (const identityId of back.toReversed()) {
      await this.parts.reports.again(identityId, () => this.#erase(identityId));
      this.#lacking.delete(identityId);
    }
    return back.length;
  }

  /** The store was restored from an older copy: the next round compares the whole list again, as the first one does. */
  storeRestored(): void {
    this.#listed = { place: -1, entries: 0 };
  }

  /** Persons whom an operator has brought back to the list may be older than the newest ones. The first round compares the whole list. */
  #noteNew(listed: ReadonlyMap<IdentityId, number>): void {
    if (this.#newestFirst === undefined || this.#newestFirst.length === listed.size) return;
    const known = new Set(this.#newestFirst);
    for (const identityId of listed.keys()) if (!known.has(identityId)) this.#lacking.add(identityId);
  }

  /** Lists the erasures that the list lacks, and all of them when it was lost. */
  async #complete(listed: ReadonlyMap<IdentityId, number>): Promise<void> {
    let place = listed.size < this.#listed.entries ? -1 : this.#listed.place;
    const lacking = place === -1 ? new Set(listed.keys()) : this.#lacking;
    for await (const row of this.#erasures({ after: place })) {
      if (!listed.has(row.identity_id)) await this.parts.erasureList.add(row.identity_id, row.erased_at);
      lacking.delete(row.identity_id);
      place = row.place;
    }
    this.#listed = { place, entries: listed.size };
    this.#lacking = lacking;
  }

  #erasures(which: Parameters<typeof erasuresAfter>[1]) {
    return erasuresAfter(this.parts.model, which);
  }

  async #erase(identityId: IdentityId): Promise<void> {
    await this.parts.eraseIdentity.execute(identityId).catch((error: unknown) => {
      if (!(error instanceof IdentityNotFound)) throw error; // another process has finished it
    });
  }
}
