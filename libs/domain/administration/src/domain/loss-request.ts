import { assertNever, type Decider, DomainError, type DomainEvent, knownEvents } from '#kernel';
import type { Loss } from '#engines/transparency-log';

import type { StopRequest } from './break-glass.js';

/** What is to be accepted. `security`: the persons who had `security` at the newest checkpoint, with their phones, as {@link securityLines} names them. */
export type AskedLoss = Loss & { readonly requestId: string; readonly security: readonly string[] };

/** What the phones were asked: to accept the loss, or to stop its acceptance. */
export type LossQuestion = 'accept' | 'stop';

/** The events of the stream `historyrequest-all`. Times are epoch milliseconds of a running service: no clock of the machine counts on which the command runs. */
export type LossRequestEvent =
  /** The command was run with the keys of the service. */
  | DomainEvent<'LossAcceptanceAsked', AskedLoss>
  /** A running service has seen it. */
  | DomainEvent<'LossAcceptanceNoticed', { readonly at: number; readonly requestId: string }>
  | DomainEvent<
      'LossAcceptanceTold',
      { readonly at: number; readonly requestId: string; readonly question: LossQuestion; readonly told: readonly StopRequest[] }
    >
  /** `by`: who has stopped it. */
  | DomainEvent<'LossAcceptanceStopped', { readonly at: number; readonly requestId: string; readonly by: string }>
  /** It is over: the loss was accepted. */
  | DomainEvent<'LossAcceptanceEnded', { readonly at: number; readonly requestId: string }>;

export const LOSS_REQUEST_EVENTS = knownEvents<LossRequestEvent>(1, {
  LossAcceptanceAsked: true,
  LossAcceptanceNoticed: true,
  LossAcceptanceTold: true,
  LossAcceptanceStopped: true,
  LossAcceptanceEnded: true,
});

/** The request that is under way; `NONE` after its end. */
export type LossRequest =
  | { readonly status: 'NONE' }
  | {
      readonly status: 'ASKED' | 'WAITING';
      readonly asked: AskedLoss;
      /** When a running service has seen it. */
      readonly noticedAt?: number;
      /** The last requests to phones, and their time. */
      readonly told?: { readonly at: number; readonly question: LossQuestion; readonly requests: readonly StopRequest[] };
      /** Since when the phones have been asked whether to stop it, and nothing else: the waiting time begins here. */
      readonly stoppableSince?: number;
    };

export type LossRequestCommand =
  | { readonly type: 'AskLossAcceptance'; readonly asked: AskedLoss }
  | { readonly type: 'NoticeLossAcceptance'; readonly now: number }
  | { readonly type: 'TellLossAcceptance'; readonly now: number; readonly question: LossQuestion; readonly told: readonly StopRequest[] }
  | { readonly type: 'StopLossAcceptance'; readonly now: number; readonly by: string }
  | { readonly type: 'EndLossAcceptance'; readonly now: number };

/** Another request is under way, or nothing was lost. */
export class LossRequestRefused extends DomainError {
  readonly code = 'break_glass_refused';
}

export const lossRequestDecider: Decider<LossRequest, LossRequestCommand, LossRequestEvent> = {
  initial: { status: 'NONE' },
  knows: LOSS_REQUEST_EVENTS,
  decide: (command, state) => {
    if (command.type === 'AskLossAcceptance') {
      if (state.status !== 'NONE') throw new LossRequestRefused('the acceptance of a loss is under way');
      return [{ type: 'LossAcceptanceAsked', data: command.asked }];
    }
    if (state.status === 'NONE') return [];
    const told = { at: command.now, requestId: state.asked.requestId };
    switch (command.type) {
      case 'NoticeLossAcceptance':
        return state.status === 'ASKED' ? [{ type: 'LossAcceptanceNoticed', data: told }] : [];
      case 'TellLossAcceptance':
        return [{ type: 'LossAcceptanceTold', data: { ...told, question: command.question, told: command.told } }];
      case 'StopLossAcceptance':
        return [{ type: 'LossAcceptanceStopped', data: { ...told, by: command.by } }];
      case 'EndLossAcceptance':
        return [{ type: 'LossAcceptanceEnded', data: told }];
      default:
        return assertNever(command);
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'LossAcceptanceAsked':
        return { status: 'ASKED', asked: event.data };
      case 'LossAcceptanceNoticed':
        return state.status === 'NONE' ? state : { ...state, status: 'WAITING', noticedAt: event.data.at };
      case 'LossAcceptanceTold': {
        const { at, question, told: requests } = event.data;
        if (state.status === 'NONE') return state;
        const { stoppableSince = at, ...others } = state;
        return { ...others, told: { at, question, requests }, ...(question === 'stop' && { stoppableSince }) };
      }
      case 'LossAcceptanceStopped':
      case 'LossAcceptanceEnded':
        return { status: 'NONE' };
      default:
        return assertNever(event);
    }
  },
};
