import { decideOnLast, lastEventOf, type UnitOfWork } from '#engines/event-store';
import { hmac, type Secret } from '#kernel';

import { ApprovalRequired } from '../domain/admin-token.errors.js';
import { type ApprovalEvent, APPROVALS } from '../streams.js';

/** How long a request waits for the second administrator, in milliseconds. */
const VALID_FOR = 15 * 60_000;

/** A request that two administrators have to send. Two requests are the same when all members are. */
export interface SensitiveRequest {
  readonly action: string;
  readonly path: string;
  readonly body: string | NodeJS.ArrayBufferView;
}

const APPROVAL = lastEventOf<ApprovalEvent>(APPROVALS);

/** Four eyes: a request takes effect when a second administrator sends the same one within 15 minutes. */
export class Approvals {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly key: Secret<Buffer>,
  ) {}

  /** Resolves for the second administrator, once. Throws {@link ApprovalRequired} otherwise, and remembers who asked. */
  async require({ action, path, body }: SensitiveRequest, by: string): Promise<void> {
    const { store, clock } = this.unitOfWork;
    const stream = APPROVALS.of(hmac(this.key.reveal(), 'approval', action, path, body).toString('hex'));
    const { last: decided, isAppended } = await decideOnLast(
      this.unitOfWork,
      { type: APPROVAL, stream },
      async (last): Promise<readonly ApprovalEvent[]> => {
        if (!last) await APPROVALS.retain(store, stream);
        const at = clock.now();
        const asked = last?.type === 'ApprovalAsked' && at < last.data.at + VALID_FOR ? last.data.by : undefined;
        if (asked === by) return [];
        return [{ type: asked === undefined ? 'ApprovalAsked' : 'ApprovalGiven', data: { at, by } }];
      },
    );
    if (isAppended && decided?.type === 'ApprovalGiven') return;
    throw new ApprovalRequired('a second administrator has not sent the same request');
  }
}
