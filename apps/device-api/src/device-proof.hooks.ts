import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import { isUnder } from '#service/http';
import { type Device, DeviceNotFound } from '#domain/identity';

import type { DeviceProofs, ProvenRequest } from './device-proof.js';

const ENROLMENT: ReadonlySet<string | undefined> = new Set(['/app/v1/device', '/app/v1/device/holder']);

/** The routes under `/app/v1` that accept a key which the service does not know yet. Both take an activation code. */
export const isEnrolment = ({ method, routeOptions }: FastifyRequest): boolean => method === 'POST' && ENROLMENT.has(routeOptions.url);

/** The routes whose use cases prove the device by what they store, and read it before they answer anything else. */
const PROVEN_LATER: ReadonlySet<string | undefined> = new Set(['/app/v1/session/:sessionId/scan', '/app/v1/session/:sessionId/confirm']);

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/** Checks the proof of every request under `/app/v1`, unknown paths included, before the body is read. */
export const requireDeviceProof =
  (proofs: DeviceProofs): onRequestAsyncHookHandler =>
  async (request) => {
    if (request.method === 'OPTIONS' || !isUnder(request, '/app/')) return;
    request.principal = await proofs.check(request.headers['device-proof'], {
      method: request.method,
      path: pathOf(request),
      isEnrolment: isEnrolment(request),
      isProvenLater: request.method === 'POST' && PROVEN_LATER.has(request.routeOptions.url),
    });
  };

/** Checks the body against the proof once it is read. */
export const requireProvenBody = (fastify: FastifyInstance, proofs: DeviceProofs): void => {
  fastify.addHook('preValidation', async (request) => {
    if (request.principal && !request.is404) proofs.checkBody(request.principal as ProvenRequest, request.rawBody);
  });
};

/** Throws the error of the use case. A device that was revoked since its proof was checked is answered as one whose proof is checked now. */
export const refuseRevoked =
  (request: FastifyRequest) =>
  (error: unknown): never => {
    throw error instanceof DeviceNotFound ? (request.principal as ProvenRequest).revoked() : error;
  };

/** The enrolled device that sent the request. */
export const ProvenDevice: () => ParameterDecorator = createParamDecorator((_: unknown, context: ExecutionContext): Device => {
  const { prover } = context.switchToHttp().getRequest<FastifyRequest>().principal as ProvenRequest;
  if (!('device' in prover)) throw new Error('the route of an enrolled device was called with the proof of a new key');
  return prover.device;
});

/** The key of the device that asks to be enrolled. */
export const ProvenKey: () => ParameterDecorator = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { prover } = context.switchToHttp().getRequest<FastifyRequest>().principal as ProvenRequest;
  if ('device' in prover) throw new Error('the route of a new key was called with the proof of an enrolled device');
  return prover.authenticationKey;
});
