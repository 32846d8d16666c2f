import type { FastifyRequest } from 'fastify';

import type { AdminChange } from '#domain/administration';

const CHANGES = new WeakMap<FastifyRequest, AdminChange>();

/** Notes the change as which the request is on the audit trail. */
export const noteRecordedChange = (request: FastifyRequest, change: AdminChange): void => void CHANGES.set(request, change);

/** The change as which the request is on the audit trail. */
export const recordedChange = (request: FastifyRequest): AdminChange | undefined => CHANGES.get(request);
