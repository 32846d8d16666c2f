import { assertNever, type Brand, type Decider, type DomainEvent, type IdentityId, knownEvents, type SessionId } from '#kernel';

import { ApprovalNotFound } from './admin-token.errors.js';

export type ApprovalId = Brand<string, 'ApprovalId'>;

/** The events of a stream `approval-<digest of the change>`. Times are epoch milliseconds. */
export type ApprovalEvent =
  /** A person was asked on the phone to approve the change. `sessionId`: the session that the phone gets. */
  | DomainEvent<
      'ApprovalAsked',
      { readonly at: number; readonly approvalId: ApprovalId; readonly sessionId: SessionId; readonly identityId: IdentityId }
    >
  /** The change may take effect, once: what was asked for before is used up. */
  | DomainEvent<'ChangeCarriedOut', { readonly at: number; readonly approvalId: ApprovalId }>;

export const APPROVAL_EVENTS = knownEvents<ApprovalEvent>(1, { ApprovalAsked: true, ChangeCarriedOut: true });

/** An approval that a person was asked for, and that was not used. */
export type OpenApproval = Extract<ApprovalEvent, { type: 'ApprovalAsked' }>['data'];

export type ApprovalCommand =
  ({ readonly type: 'AskApproval' } & OpenApproval) | { readonly type: 'CarryOutChange'; readonly now: number; readonly approvalId: ApprovalId };

/** How long a change can be carried out after it was asked for, in milliseconds. */
export const OPEN_FOR = 10 * 60_000;
/** How many requests for one change are looked at. */
export const MOST_ASKED = 50;

/** Those that are not over at that time, epoch milliseconds. */
export const openAt = (asked: readonly OpenApproval[], now: number): readonly OpenApproval[] => asked.filter(({ at }) => now < at + OPEN_FOR);

/** The approvals of one change that were asked for since it was carried out last, the newest first. */
export const openApprovalsDecider: Decider<readonly OpenApproval[], ApprovalCommand, ApprovalEvent> = {
  initial: [],
  knows: APPROVAL_EVENTS,
  decide: (command, asked) => {
    switch (command.type) {
      case 'AskApproval': {
        const { type: _, ...approval } = command;
        return [{ type: 'ApprovalAsked', data: approval }];
      }
      case 'CarryOutChange': {
        const { now, approvalId } = command;
        if (!openAt(asked, now).some((each) => each.approvalId === approvalId)) throw new ApprovalNotFound('carried out before');
        return [{ type: 'ChangeCarriedOut', data: { at: now, approvalId } }];
      }
      default:
        return assertNever(command);
    }
  },
  evolve: (asked, event) => {
    switch (event.type) {
      case 'ApprovalAsked':
        return [event.data, ...asked].slice(0, MOST_ASKED);
      case 'ChangeCarriedOut':
        return [];
      default:
        return assertNever(event);
    }
  },
};
