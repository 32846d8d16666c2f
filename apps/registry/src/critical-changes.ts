import type { FastifyRequest } from 'fastify';

import {
  type Administrator,
  ApprovalOutdated,
  ApprovalRequired,
  type ApprovedChange,
  type AuditTrail,
  type ChangeApprovals,
  changeDigest,
  type ChangeWords,
  type CompleteApproval,
  FIRST_START,
  type HumanAdministrator,
  type MadeApproval,
  type PortalMembers,
  type SentChange,
  type Touched,
  type TouchedObjects,
  type TouchedVersions,
} from '#domain/administration';
import type { UnitOfWork } from '#engines/event-store';
import { Accepted } from '#service/http';
import type { Limit, RateLimits } from '#engines/rate-limit';
import type { Clock, Randomness, SubjectId } from '#kernel';

import { CRITICAL_ROUTES, FIRST_START_ROUTES } from './admin-rights.js';
import { recordedChange } from './recorded-change.js';
import { Forbidden, mayAsk, routeOf } from './require-right.js';

/** The header by which this process knows a change that it carries out itself. Its value is random and is used once. */
const CARRIED = 'x-carried-change';

/** The answer to a change that waits for an approval on the phone. */
export interface WaitingAnswer {
  readonly approval: MadeApproval;
}

const CHANGED_MEANWHILE = 'What you have approved is not what it was when your phone showed it. Send the change again and approve it anew.';

/** Each asks a phone, and stays in the store for a day. */
const ASKED: Limit = { name: 'approvals', times: 30, seconds: 600 };

export interface CriticalChangesParts {
  readonly changeApprovals: ChangeApprovals;
  readonly touchedObjects: TouchedObjects;
  readonly completeApproval: CompleteApproval;
  readonly unitOfWork: UnitOfWork;
  readonly portalMembers: Pick<PortalMembers, 'isFirstStartOver'>;
  readonly auditTrail: AuditTrail;
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly settings: { readonly fourEyes: boolean };
}

/** A critical change in words, and what it touches. */
export interface CriticalChange extends ChangeWords {
  readonly touched: Touched;
  /** Whether `FOUR_EYES` asks for a second person although the route does not. */
  readonly fourEyes?: boolean;
}

/** Lets a critical change take effect only when the person has approved it on the phone, and with `FOUR_EYES` a second one (specification/admin.md#critical-changes). */
export class CriticalChanges {
  /** The approved changes that this process is carrying out, by the value of the header. */
  readonly #carried = new Map<string, ApprovedChange>();

  constructor(private readonly parts: CriticalChangesParts) {}

  /**
   * Returns when the change may take effect, with those who have approved it, as they stand beside an activation code. Throws {@link Accepted} with the approval that the person is asked for,
   * ApprovalRequired where two persons are needed and a machine asks, Forbidden for a token that does not name the route, and ApprovalOutdated when the change is not the one that was approved.
   */
  async require(request: FastifyRequest, caller: Administrator, change: CriticalChange): Promise<readonly string[]> {
    const fourEyes = this.parts.settings.fourEyes && (change.fourEyes ?? CRITICAL_ROUTES[routeOf(request)]?.fourEyes) === true;
    const { human } = caller;
    if (!human) return this.#byMachine(request, caller, fourEyes);
    const versions = await this.parts.touchedObjects.versions(change.touched);
    const sent = sentChange(request);
    const carried = this.#carriedIn(request);
    if (!carried) throw new Accepted(await this.#ask(caller, human, { sent, versions, words: change, fourEyes }));
    const requireSame = (now: TouchedVersions): void => {
      if (carried.digest !== changeDigest(sent, now) || carried.identityId !== human.identityId)
        throw new ApprovalOutdated('the change is another one now', CHANGED_MEANWHILE);
    };
    requireSame(versions);
    const { unitOfWork, touchedObjects, completeApproval } = this.parts;
    // Two changes that were approved for the same state of an object: the first one moves it.
    unitOfWork.alsoUnder(async (looks) => requireSame(await touchedObjects.versions(change.touched, looks)));
    unitOfWork.alsoUnder((looks) => completeApproval.requireIn(looks, carried, human, mayAsk));
    await this.#record(request, carried);
    return carried.approvers;
  }

  /** Sends the approved change once more, with the caller's own credentials, and answers what it answers. */
  async carryOut(
    request: FastifyRequest,
    approved: ApprovedChange,
  ): Promise<{ readonly status: number; readonly type: string | undefined; readonly body: Buffer }> {
    const { method, path, body } = approved.sent;
    const once = this.parts.randomness.bytes(32).toString('base64url');
    this.#carried.set(once, approved);
    try {
      const answer = await request.server.inject({
        method: method as 'POST',
        url: path,
        headers: {
          ...(request.headers.cookie !== undefined && { cookie: request.headers.cookie }),
          'x-service-portal': '1',
          // The call of the person and what it carries out are one request in the log and on the trail.
          'x-request-id': request.id,
          [CARRIED]: once,
          ...(body !== '' && { 'content-type': 'application/json' }),
        },
        ...(body !== '' && { payload: body }),
        remoteAddress: request.ip,
      });
      const type = answer.headers['content-type'];
      return { status: answer.statusCode, type: type === undefined ? undefined : String(type), body: answer.rawPayload };
    } finally {
      this.#carried.delete(once);
    }
  }

  /** Whether the request is an approved change that {@link carryOut} sends, within the call that it belongs to. */
  isCarried(request: FastifyRequest): boolean {
    return this.#carriedIn(request) !== undefined;
  }

  async #ask(caller: Administrator, human: HumanAdministrator, asked: Parameters<ChangeApprovals['ask']>[0]): Promise<WaitingAnswer> {
    const { changeApprovals, rateLimits } = this.parts;
    await rateLimits.take(ASKED, human.identityId, 'too many approvals asked for');
    return { approval: await changeApprovals.ask(asked, { subjectId: caller.id as SubjectId, human }) };
  }

  /** A machine has no phone: it may do what it was made for, but it never is one of two persons. Until the first persons are there, `ADMIN_TOKEN` leads to them. */
  async #byMachine(request: FastifyRequest, { id, reach }: Administrator, fourEyes: boolean): Promise<readonly string[]> {
    // A route that is critical for some bodies alone is among those of the role, so whether the token names it is decided here.
    if (reach && !reach.named) throw new Forbidden('the token does not name the route, and this is critical');
    if (!fourEyes) return [];
    const leadsToFirst = id === FIRST_START && FIRST_START_ROUTES.has(routeOf(request)) && !(await this.parts.portalMembers.isFirstStartOver());
    if (!leadsToFirst) throw new ApprovalRequired('two persons have to approve this, and a token is none');
    return [];
  }

  #carriedIn(request: FastifyRequest): ApprovedChange | undefined {
    const once = request.headers[CARRIED];
    return typeof once === 'string' ? this.#carried.get(once) : undefined;
  }

  async #record(request: FastifyRequest, { statements }: ApprovedChange): Promise<void> {
    const change = recordedChange(request);
    if (!change) throw new Error('a critical change is on the audit trail');
    const { auditTrail, clock } = this.parts;
    await auditTrail.record({ type: 'AdminChangeApproved', data: { ...change, at: clock.now(), statements } });
  }
}

const sentChange = ({ method, url, rawBody }: FastifyRequest): SentChange => ({ method, path: url, body: rawBody?.toString('utf8') ?? '' });
