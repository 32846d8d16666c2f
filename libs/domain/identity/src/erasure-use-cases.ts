import type { IdentityId, SubjectId } from '#kernel';
import type { StreamName } from '#engines/event-store';

import { CloseEndedCertificates } from './erasure/close-ended-certificates.js';
import { EraseIdentity } from './erasure/erase-identity.js';
import { EraseSessions, type SessionErasure } from './erasure/erase-sessions.js';
import { ErasureReconciler } from './erasure/erasure-reconciler.js';
import type { ErasureStep } from './erasure/erasure-step.js';
import { erasureSteps, listErasure, releaseSubjects, type TellClients } from './erasure/erasure-steps.js';
import { ProveErasure } from './erasure/prove-erasure.js';
import type { ListReports } from './erasure/tell-list-faults.js';
import type { ErasureList } from './erasure-list/erasure-list.js';
import type { IdentityParts } from './identity-repositories.js';
import type { ListParts } from './identity-use-cases.js';
import { identitiesProjection } from './read-models/identities-projection.js';
import { subjectIdsIn } from './read-models/rows-of-person.js';

/** The data of other libraries about a person. */
export interface FurtherErasures {
  /** Run before the person's own record is erased. */
  readonly steps: readonly ErasureStep[];
  /** Told of the clients at which the person has logged in, before their names of the person are released. */
  readonly tellClients?: TellClients;
  /** Run after the person's own record is erased: for what is found in a read model, which may be unavailable. */
  readonly last?: readonly ErasureStep[];
  /** Run a second time with the erasure of the sessions, minutes later: a request that was under way may have stored something after the first time. */
  readonly late?: readonly ErasureStep[];
  readonly sessions: SessionErasure;
  /** The streams of other libraries that the steps close, for the proof of an erasure. */
  readonly streams: readonly ((identityId: IdentityId) => StreamName)[];
}

interface ErasureDependencies extends ListParts {
  readonly erasureList: ErasureList;
}

/** The erasure of persons, with the data of other libraries about them. */
export const erasureUseCases = (
  parts: Pick<IdentityParts, 'eventStore' | 'clock'> & ErasureDependencies,
  { steps, last = [], late = [], tellClients: tell = async () => undefined, sessions, streams }: FurtherErasures,
) => {
  const { clock, erasureList, projections, identityRepositories: repositories } = parts;
  const model = projections.follow(identitiesProjection);
  const { identities, certificates } = repositories;
  // A link that is stored after IdentityErased is released by the use case that stored it. All others lie before the newest event of the identity.
  const subjectIdsOf = async (identityId: IdentityId): Promise<readonly SubjectId[]> => {
    const newest = await identities.newest(identityId);
    if (!newest) return [];
    await model.covers(newest.position);
    return subjectIdsIn(model, identityId);
  };
  const erasureParts = { ...repositories, subjectIdsOf };
  const eraseIdentity = new EraseIdentity(
    identities,
    [listErasure(identities, erasureList), ...steps, ...erasureSteps(erasureParts, tell), ...last],
    clock,
  );
  const eraseSessions = new EraseSessions(identities, sessions, [...late, releaseSubjects(erasureParts)], clock);
  const closeEndedCertificates = new CloseEndedCertificates(model, certificates, clock);
  return {
    eraseIdentity,
    proveErasure: new ProveErasure({ eventStore: parts.eventStore, identities, model, streams, clock }),
    /** Until the signal. */
    reconciler: (stopping: AbortSignal, reports: ListReports) =>
      new ErasureReconciler({ model, identities, erasureList, reports, eraseIdentity, eraseSessions, closeEndedCertificates, clock, stopping }),
  };
};
