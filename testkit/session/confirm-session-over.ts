import type { CheckPin, EnrolmentProof } from '#domain/identity';
import { LocatingTokens, Secret } from '#kernel';

import { LIFETIMES } from '#domain/session';
import { FinishNumbers, VerificationCodes } from '#domain/session';
import { SigningLog } from '#domain/session';
import { Statements } from '#domain/session';
import { ConfirmSession } from '#domain/session';
import type { VerifySignature } from '#domain/session';
import type { useCaseFixture } from './use-case-fixture.js';

/** The verification codes of {@link confirmSessionOver}. */
export const CODES = new VerificationCodes(new Secret(Buffer.alloc(32, 1)));

/** The numbers of {@link confirmSessionOver}. */
export const FINISH_NUMBERS = new FinishNumbers(new Secret(Buffer.alloc(32, 2)));

export interface ReplacedParts {
  readonly checkPin: Pick<CheckPin, 'in'>;
  /** Default: every signature is right. */
  readonly verifySignature?: VerifySignature['execute'];
  /** Default: https://login.example/ */
  readonly loginUrl?: string;
  /** Default: the phone is as the request has found it. */
  readonly enrolmentProof?: Pick<EnrolmentProof, 'presentIn'>;
}

/** The confirmation over the parts of a fixture, but for those that a test replaces. */
export const confirmSessionOver = (
  fixture: ReturnType<typeof useCaseFixture>,
  { checkPin, verifySignature = async () => 'c2lnbmF0dXJl', loginUrl = 'https://login.example/', enrolmentProof }: ReplacedParts,
): ConfirmSession => {
  const { clock, eventStore, keys, results, sealer, sessions, unchanged, unitOfWork } = fixture;
  return new ConfirmSession({
    unitOfWork,
    sessions,
    checkPin,
    enrolmentProof: enrolmentProof ?? unchanged.enrolmentProof,
    verificationCodes: CODES,
    verifySignature: { execute: verifySignature } as VerifySignature,
    statements: new Statements(results, sealer),
    signingLog: new SigningLog(eventStore, LIFETIMES, clock),
    results,
    lifetimes: LIFETIMES,
    clock,
    finishNumbers: FINISH_NUMBERS,
    returnTokens: new LocatingTokens(keys.token, 'return-token'),
    loginUrl,
  });
};
