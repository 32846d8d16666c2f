import type { CheckPin } from '#identity';
import { LocatingTokens, Secret } from '#kernel';

import { LIFETIMES } from '../domain/lifetimes.js';
import { VerificationCodes } from '../domain/verification-codes.js';
import type { Sessions } from '../repositories/sessions.js';
import { SigningLog } from '../repositories/signing-log.js';
import { Statements } from '../repositories/statements.js';
import { ConfirmSession } from '../use-cases/confirm-session.js';
import { JudgePin } from '../use-cases/judge-pin.js';
import type { VerifySignature } from '../use-cases/verify-signature.js';
import type { useCaseFixture } from './use-case-fixture.js';

/** The verification codes of {@link confirmSessionOver}. */
export const CODES = new VerificationCodes(new Secret(Buffer.alloc(32, 1)));

export interface ReplacedParts {
  /** `propose` is needed only for a device with `asRead`. */
  readonly checkPin: Pick<CheckPin, 'execute'> & Partial<Pick<CheckPin, 'propose'>>;
  /** Default: every signature is right. */
  readonly verifySignature?: VerifySignature['execute'];
  /** Default: those of the fixture. */
  readonly sessions?: Sessions;
  /** Default: https://login.example/ */
  readonly loginUrl?: string;
}

/** The confirmation over the parts of a fixture, but for those that a test replaces. */
export const confirmSessionOver = (
  fixture: ReturnType<typeof useCaseFixture>,
  { checkPin, verifySignature = async () => 'c2lnbmF0dXJl', sessions = fixture.sessions, loginUrl = 'https://login.example/' }: ReplacedParts,
): ConfirmSession => {
  const { clock, eventStore, keys, results, sealer } = fixture;
  return new ConfirmSession({
    sessions,
    judgePin: new JudgePin(sessions, checkPin as CheckPin, CODES, clock),
    verifySignature: { execute: verifySignature } as VerifySignature,
    statements: new Statements(results, sealer),
    signingLog: new SigningLog(eventStore, LIFETIMES, clock),
    results,
    lifetimes: LIFETIMES,
    clock,
    returnTokens: new LocatingTokens(keys.token, 'return-token'),
    loginUrl,
  });
};
