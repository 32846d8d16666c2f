import type { FastifyInstance, FastifyRequest } from 'fastify';

import { type AdminChange, type Administrator, type AuditTarget, type AuditTrail, FIRST_START } from '#domain/administration';
import { type Clock, parseId, type Randomness } from '#kernel';
import type { Log } from '#telemetry';

import { OPENING, RECORDED_READS } from './admin-rights.js';
import { OPENING_REASON } from './opening-reason.js';
import { noteRecordedChange } from './recorded-change.js';
import { recordedRequestId } from './recorded-request-id.js';
import { routeOf } from './require-right.js';

export interface RecorderParts {
  readonly auditTrail: AuditTrail;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

interface Recorded {
  change: AdminChange;
  /** Whether the request changes nothing and answers personal data. */
  readonly isRead: boolean;
  persons?: readonly string[];
}

/** The ids that an answer names. Nothing else of an answer is recorded. */
const MADE = ['clientId', 'identityId', 'endpointId', 'deliveryId', 'tokenId', 'invitationId'] as const;

/** Puts every request that changes something or reads personal data on the audit trail: before it takes effect, and again before it is answered (ADR 0030). */
export const recordChanges = (fastify: FastifyInstance, { auditTrail, clock, randomness, log }: RecorderParts): void => {
  const begun = new WeakMap<FastifyRequest, Recorded>();

  fastify.addHook('preHandler', async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.is404 || (isRead && !RECORDED_READS.has(routeOf(request)))) return;
    const administrator = request.principal as Administrator;
    const change = changeOf(request, administrator, randomness.uuid());
    await auditTrail.record({ type: 'AdminChangeBegun', data: { ...change, at: clock.now() } });
    begun.set(request, { change, isRead });
    noteRecordedChange(request, change);
  });

  fastify.addHook('preSerialization', async (request, _reply, payload) => {
    const recorded = begun.get(request);
    if (!recorded) return payload;
    if (recorded.isRead) recorded.persons = personsIn(payload);
    else recorded.change = { ...recorded.change, target: { ...recorded.change.target, ...idsIn(payload, MADE) } };
    return payload;
  });

  fastify.addHook('onSend', async (request, reply) => {
    const recorded = begun.get(request);
    if (!recorded) return;
    begun.delete(request);
    const { errorCode } = request.refusal ?? {};
    const ended = {
      ...recorded.change,
      at: clock.now(),
      status: reply.statusCode,
      ...(errorCode !== undefined && { errorCode }),
      ...personsOf(recorded),
    };
    // The change has taken effect, and its beginning is recorded. If this record fails, the caller still gets the answer, which may hold a secret shown once.
    await auditTrail.record({ type: 'AdminChangeEnded', data: ended }).catch((error: unknown) => {
      // Personal data is not answered unless the read is recorded.
      if (recorded.isRead) throw error;
      log.error('the outcome of an admin change is not on the audit trail', { component: 'registry', requestId: request.id, error });
    });
  });
};

const changeOf = (request: FastifyRequest, caller: Administrator, changeId: string): AdminChange => ({
  changeId,
  actor: caller.id,
  role: roleOf(caller),
  action: routeOf(request),
  target: idsIn(request.params, Object.keys(request.params as object)),
  requestId: recordedRequestId(request.id),
  ...reasonOf(request),
});

/** Only in the form in which the use case takes it: a caller can put no other text on the trail. */
const reasonOf = (request: FastifyRequest): { readonly reason?: string } => {
  if (routeOf(request) !== OPENING) return {};
  const { reason } = Object(request.body) as Record<string, unknown>;
  return typeof reason === 'string' && OPENING_REASON.test(reason) ? { reason } : {};
};

const roleOf = ({ id, roles, teams = [] }: Administrator): string => {
  if (id === FIRST_START) return 'all';
  return roles.join(',') || (teams.length > 0 ? 'member' : 'person');
};

const personsOf = ({ persons = [] }: Recorded): { readonly persons?: readonly string[] } => (persons.length > 0 ? { persons } : {});

/** The persons of a list. */
const personsIn = (payload: unknown): readonly string[] => {
  const { identities } = (payload ?? {}) as { readonly identities?: readonly { readonly identityId: string }[] };
  return (identities ?? []).map(({ identityId }) => identityId);
};

/** The members that are UUIDs: a caller can put no other text on the trail. */
const idsIn = (from: unknown, names: readonly string[]): AuditTarget => {
  if (typeof from !== 'object' || from === null) return {};
  const members = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.flatMap((name) => (parseId(members[name]) ? [[name, parseId(members[name])]] : []))) as AuditTarget;
};
