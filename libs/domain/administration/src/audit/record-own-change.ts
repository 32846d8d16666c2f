import type { Randomness } from '#kernel';

import type { AuditTarget } from './audit-events.js';
import type { AuditTrail } from './audit-trail.js';

export interface OwnChangeParts {
  readonly auditTrail: Pick<AuditTrail, 'record'>;
  readonly randomness: Randomness;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A change that no request asks for. */
export interface OwnChange {
  /** What leads to it. */
  readonly actor: string;
  /** By what it has the right. */
  readonly role: string;
  readonly action: string;
  readonly target: AuditTarget;
}

/** Puts the change on the trail before it takes effect, and again when it has. Without the first entry nothing happens. Throws the errors of the store, and what the change throws. */
export const recordOwnChange = async <Result>(
  { auditTrail, randomness, now }: OwnChangeParts,
  own: OwnChange,
  carryOut: () => Promise<Result>,
): Promise<Result> => {
  const change = { changeId: randomness.uuid(), ...own };
  await auditTrail.record({ type: 'AdminChangeBegun', data: { ...change, at: now() } });
  const result = await carryOut();
  await auditTrail.record({ type: 'AdminChangeEnded', data: { ...change, at: now(), status: 200 } });
  return result;
};
