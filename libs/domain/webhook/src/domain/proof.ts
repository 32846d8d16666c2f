import { type Randomness, type Secret } from '#kernel';
import type { UnconfirmedBecause } from '#domain/relying-party';

import type { AttemptOutcome } from './delivery.events.js';
import { newWebhookSecret } from './webhook-secret.js';

/** One ping of a proof. */
export interface ProofPing {
  /** The header `webhook-id`. No ping of a proof has the id of another. */
  readonly id: string;
  /** Signed with the endpoint's secrets, or with others. */
  readonly signed: 'rightly' | 'wrongly';
}

/** The rightly signed pings of a proof, and as many wrongly signed ones. */
const OF_EACH = 3;

/** The pings of one proof in random order: a receiver tells them apart by the signature alone. */
export const proofPings = (randomness: Randomness): readonly ProofPing[] => {
  const kinds = [...Array<'rightly'>(OF_EACH).fill('rightly'), ...Array<'wrongly'>(OF_EACH).fill('wrongly')];
  return kinds
    .map((signed) => ({ signed, id: randomness.uuid(), place: randomness.bytes(8).readBigUInt64BE() }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ id, signed }) => ({ id, signed }));
};

/** Secrets that nobody else knows, as many as the endpoint has: the header of a wrongly signed ping has the same form. */
export const foreignSecrets = (randomness: Randomness, count: number): readonly Secret<string>[] =>
  Array.from({ length: count }, () => newWebhookSecret(randomness));

/** Why a proof failed, and the outcome that shows it. */
export interface ProofFailure {
  readonly because: UnconfirmedBecause;
  readonly outcome: AttemptOutcome;
}

/** The answers by which a receiver refuses a message that is not from the service. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** What the outcome of one ping says against the receiver; undefined when it is what a receiver answers that verifies signatures. */
export const failureOf = ({ signed }: Pick<ProofPing, 'signed'>, { status, error }: AttemptOutcome): ProofFailure | undefined => {
  if (status === undefined) return { because: 'NO_ANSWER', outcome: error === undefined ? {} : { error } };
  if (signed === 'rightly') {
    return isTaken(status) ? undefined : { because: 'RIGHT_REFUSED', outcome: { status, error: 'right_signature_refused' } };
  }
  return REFUSALS.has(status) ? undefined : { because: 'WRONG_NOT_REFUSED', outcome: { status, error: 'wrong_signature_not_refused' } };
};

/** The failure that tells most: a wrongly signed ping was taken; else a rightly signed one was refused, as by a host that knows nothing of all this. */
export const foremostOf = (failures: readonly ProofFailure[]): ProofFailure | undefined =>
  failures.find(({ because, outcome }) => because === 'WRONG_NOT_REFUSED' && isTaken(outcome.status)) ??
  failures.find(({ because }) => because === 'RIGHT_REFUSED') ??
  failures[0];

const isTaken = (status = 0): boolean => status >= 200 && status < 300;
