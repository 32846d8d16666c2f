import { assertNever, type Brand, type Decider, DomainError, type DomainEvent, type IdentityId, knownEvents, type SessionId } from '#kernel';

export type BreakGlassId = Brand<string, 'BreakGlassId'>;

/** A request to a phone of the staff to stop a break-glass. */
export type StopRequest = { readonly sessionId: SessionId; readonly identityId: IdentityId };

/** The events of the stream `breakglass-all`. Times are epoch milliseconds of a running service: no clock of the machine counts on which the command runs. */
export type BreakGlassEvent =
  /** The command was run with the keys of the service. `identityId`: the person who is to have `security`. */
  | DomainEvent<'BreakGlassAsked', { readonly requestId: BreakGlassId; readonly identityId: IdentityId }>
  /** A running service has seen it: the waiting time begins. */
  | DomainEvent<'BreakGlassNoticed', { readonly at: number; readonly requestId: BreakGlassId }>
  /** The phones of the staff were asked to stop it. */
  | DomainEvent<'BreakGlassTold', { readonly at: number; readonly requestId: BreakGlassId; readonly told: readonly StopRequest[] }>
  /** `by`: the subjectId at the portal of a member of the staff; `service` where a living person with `security` has a usable phone again. */
  | DomainEvent<'BreakGlassStopped', { readonly at: number; readonly requestId: BreakGlassId; readonly by: string }>
  /** The waiting time is over. */
  | DomainEvent<'BreakGlassOpened', { readonly at: number; readonly requestId: BreakGlassId }>
  /** The command was run again, and has printed the link. */
  | DomainEvent<'BreakGlassUsed', { readonly requestId: BreakGlassId }>;

export const BREAK_GLASS_EVENTS = knownEvents<BreakGlassEvent>(1, {
  BreakGlassAsked: true,
  BreakGlassNoticed: true,
  BreakGlassTold: true,
  BreakGlassStopped: true,
  BreakGlassOpened: true,
  BreakGlassUsed: true,
});

/** The break-glass that is under way; `NONE` after its end. */
export type BreakGlass =
  | { readonly status: 'NONE' }
  | {
      readonly status: 'ASKED' | 'WAITING' | 'OPEN';
      readonly requestId: BreakGlassId;
      readonly identityId: IdentityId;
      /** When a running service has seen it. */
      readonly noticedAt?: number;
      /** The last requests to phones, and their time. */
      readonly told?: { readonly at: number; readonly requests: readonly StopRequest[] };
    };

export type BreakGlassCommand =
  | { readonly type: 'AskBreakGlass'; readonly requestId: BreakGlassId; readonly identityId: IdentityId }
  | { readonly type: 'NoticeBreakGlass'; readonly now: number }
  | { readonly type: 'TellBreakGlass'; readonly now: number; readonly told: readonly StopRequest[] }
  | { readonly type: 'StopBreakGlass'; readonly now: number; readonly by: string }
  /** Of the one with this id only: another replica may have stopped it meanwhile. */
  | { readonly type: 'StopSeenBreakGlass'; readonly now: number; readonly by: string; readonly requestId: BreakGlassId }
  | { readonly type: 'OpenBreakGlass'; readonly now: number; readonly wait: number }
  | { readonly type: 'UseBreakGlass'; readonly identityId: IdentityId };

/** No break-glass is under way, or none that has waited long enough. */
export class BreakGlassRefused extends DomainError {
  readonly code = 'break_glass_refused';
}

export const breakGlassDecider: Decider<BreakGlass, BreakGlassCommand, BreakGlassEvent> = {
  initial: { status: 'NONE' },
  knows: BREAK_GLASS_EVENTS,
  decide: (command, state) => {
    switch (command.type) {
      case 'AskBreakGlass':
        return ask(command, state);
      case 'NoticeBreakGlass':
        return state.status === 'ASKED' ? [{ type: 'BreakGlassNoticed', data: { at: command.now, requestId: state.requestId } }] : [];
      case 'TellBreakGlass':
        return state.status === 'WAITING'
          ? [{ type: 'BreakGlassTold', data: { at: command.now, requestId: state.requestId, told: command.told } }]
          : [];
      case 'StopBreakGlass':
        if (state.status === 'NONE') throw new BreakGlassRefused('no break-glass is under way');
        return [{ type: 'BreakGlassStopped', data: { at: command.now, requestId: state.requestId, by: command.by } }];
      case 'StopSeenBreakGlass':
        return state.status !== 'NONE' && state.requestId === command.requestId
          ? [{ type: 'BreakGlassStopped', data: { at: command.now, requestId: state.requestId, by: command.by } }]
          : [];
      case 'OpenBreakGlass':
        return state.status === 'WAITING' && command.now >= (state.noticedAt ?? Infinity) + command.wait
          ? [{ type: 'BreakGlassOpened', data: { at: command.now, requestId: state.requestId } }]
          : [];
      case 'UseBreakGlass':
        if (state.status !== 'OPEN') throw new BreakGlassRefused('the waiting time is not over');
        if (state.identityId !== command.identityId) throw new BreakGlassRefused('another person was named');
        return [{ type: 'BreakGlassUsed', data: { requestId: state.requestId } }];
      default:
        return assertNever(command);
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'BreakGlassAsked':
        return { status: 'ASKED', ...event.data };
      case 'BreakGlassNoticed':
        return state.status === 'NONE' ? state : { ...state, status: 'WAITING', noticedAt: event.data.at };
      case 'BreakGlassTold':
        return state.status === 'NONE' ? state : { ...state, told: { at: event.data.at, requests: event.data.told } };
      case 'BreakGlassOpened':
        return state.status === 'NONE' ? state : { ...state, status: 'OPEN' };
      case 'BreakGlassStopped':
      case 'BreakGlassUsed':
        return { status: 'NONE' };
      default:
        return assertNever(event);
    }
  },
};

/** One at a time: the person who is named cannot be exchanged while the others wait. */
const ask = ({ requestId, identityId }: BreakGlassCommand & { type: 'AskBreakGlass' }, state: BreakGlass): BreakGlassEvent[] => {
  if (state.status !== 'NONE') throw new BreakGlassRefused('a break-glass is under way');
  return [{ type: 'BreakGlassAsked', data: { requestId, identityId } }];
};
