import type { FastifyRequest } from 'fastify';

import { type Administrator, type Approvals, type FindApprover, FIRST_START, type ListAdminTokens } from '#domain/administration';
import type { Clock } from '#kernel';

import { FOUR_EYES_ROUTES } from './admin-rights.js';
import { routeOf } from './require-right.js';

export interface FourEyesParts {
  readonly approvals: Approvals;
  readonly findApprover: FindApprover;
  readonly listAdminTokens: ListAdminTokens;
  readonly clock: Clock;
}

/** While fewer administrators than this can approve each other, the token of the first start may add admin tokens without an approval. */
const FIRST_APPROVERS = 2;

/** The check that a sensitive request was sent by two administrators (specification/admin.md#four-eyes). */
export class FourEyes {
  /** `parts`: undefined where one administrator is enough. */
  constructor(private readonly parts: FourEyesParts | undefined) {}

  /** The check of every request that changes something, by its route. Throws ApprovalRequired. */
  async check(request: FastifyRequest, administrator: Administrator): Promise<void> {
    if (FOUR_EYES_ROUTES.has(routeOf(request))) await this.require(request, administrator);
  }

  /** The check of a request that is known to be sensitive. Throws ApprovalRequired. */
  async require(request: FastifyRequest, administrator: Administrator): Promise<void> {
    if (!this.parts) return;
    const { approvals, findApprover, listAdminTokens, clock } = this.parts;
    const action = routeOf(request);
    if (administrator.id === FIRST_START && action === 'POST /admin/v1/admin-tokens') {
      const now = clock.now();
      const tokens = await listAdminTokens.execute();
      const approvers = tokens.filter(({ role, revokedAt, expiresAt }) => role === 'security' && revokedAt === undefined && now < expiresAt);
      if (approvers.length < FIRST_APPROVERS) return;
    }
    const path = Object.values(request.params as Readonly<Record<string, string>>).join('/');
    await approvals.require({ action, path: path.toLowerCase(), body: request.rawBody ?? '' }, await findApprover.execute(administrator));
  }
}
