import { type AuditTrail, recordOwnChange } from '#domain/administration';
import type { ListReports } from '#domain/identity';
import type { Clock, Randomness } from '#kernel';

interface RecorderParts {
  readonly auditTrail: AuditTrail;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** Puts each erasure that the list of erasures leads to on the audit trail, before it takes effect: no request asks for it. */
export const recordListedErasures =
  ({ auditTrail, clock, randomness }: RecorderParts): ListReports['again'] =>
  (identityId, erase) => {
    const change = { actor: 'list-of-erasures', role: 'list', action: 'erase again', target: { identityId } };
    return recordOwnChange({ auditTrail, randomness, now: () => clock.now() }, change, erase);
  };
