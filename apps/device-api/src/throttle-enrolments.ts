import type { FastifyInstance, FastifyRequest } from 'fastify';

import { FailureThrottle, throttleAttempts, throttleRefusals } from '#service/http';
import type { LocateCode } from '#domain/identity';
import type { Platform } from '#service/platform';

import { isEnrolment } from './device-proof.hooks.js';

/**
 * Limits refused enrolments by caller and by the person whom the activation code names, and refused device proofs by caller. Any new key makes a
 * right proof of an enrolment, so an enrolment counts whatever has refused it (specification/conventions.md#rate-limits).
 */
export const throttleEnrolments = (fastify: FastifyInstance, { rateLimits, settings }: Platform, locateCode: LocateCode): void => {
  const byCaller = new FailureThrottle(rateLimits, 'app-failures', settings.authenticationFailureLimit);
  const byHolder = new FailureThrottle(
    rateLimits,
    'enrolment-failures',
    settings.authenticationFailureLimit,
    'too many refused enrolments for this person',
  );
  const holderOf = ({ body }: FastifyRequest): string | undefined => {
    const { activation_code: code } = (body ?? {}) as { readonly activation_code?: unknown };
    return typeof code === 'string' ? locateCode.execute(code) : undefined;
  };
  throttleAttempts(fastify, { isAttempt: isEnrolment, byCaller, byHolder, holderOf });
  throttleRefusals(fastify, byCaller, isEnrolment);
};
