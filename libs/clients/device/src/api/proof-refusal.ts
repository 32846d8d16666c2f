/** What it means that the service refused a proof with `invalid_device_proof` (specification/app.md#device-proof). */
export type ProofRefusal =
  /** The proof was made in time: the service does not know this device any more. */
  | { readonly kind: 'REVOKED' }
  /** The proof was made at another time. A proof of the service's time, in epoch milliseconds, may be accepted. */
  | { readonly kind: 'WRONG_CLOCK'; readonly serviceNow: number }
  /** The answer does not tell the service's time, so it proves nothing. */
  | { readonly kind: 'UNEXPLAINED' };

/** How far `iat` may lie from the service's time, in seconds. */
const TOLERANCE = 60;

/**
 * Judges a refusal by the time of the very proof that was refused. A clock would not do: calls share it, and another call may have corrected it
 * since. The service tells whole seconds, so it may also have refused a proof that seems to differ by exactly 60 of them.
 *
 * @param payload of the refusal
 * @param madeAt the time for which the refused proof was made, in epoch milliseconds
 */
export const judgeProofRefusal = (payload: unknown, madeAt: number): ProofRefusal => {
  const now = typeof payload === 'object' && payload !== null && 'now' in payload ? payload.now : undefined;
  if (typeof now !== 'number' || !Number.isFinite(now)) return { kind: 'UNEXPLAINED' };
  const madeInTime = Math.abs(now - Math.floor(madeAt / 1000)) < TOLERANCE;
  return madeInTime ? { kind: 'REVOKED' } : { kind: 'WRONG_CLOCK', serviceNow: now * 1000 };
};
