import { assertNever, type Decider, DomainError } from '#kernel';
import type { TopicReach } from '#message-bus';

/** Up to where the store has been relayed, and who may go on. One event, which holds it all: only the last one is kept. */
export type Relayed = {
  readonly type: 'Relayed';
  readonly data: {
    /** Of one run of one process. */
    readonly owner: string;
    /** Until when nobody else may take over, epoch milliseconds. */
    readonly until: number;
    /** Position in the store; `0` for its begin. Everything up to it has been acknowledged by the broker. */
    readonly position: string;
    /** How far the topic reached at least. */
    readonly reach: TopicReach;
  };
};

export type RelayState = Relayed['data'];

export type RelayCommand =
  | { readonly type: 'TakeLease'; readonly owner: string; readonly now: number; readonly ttl: number }
  | { readonly type: 'RenewLease'; readonly owner: string; readonly now: number; readonly ttl: number }
  | { readonly type: 'Advance'; readonly owner: string; readonly now: number; readonly ttl: number; readonly position: string; readonly reach: TopicReach }
  | { readonly type: 'ReleaseLease'; readonly owner: string; readonly now: number };

/** Somebody else relays. */
export class LeaseHeld extends DomainError {
  readonly code = 'lease_held';
}

/** Somebody else has taken over: stop. */
export class LeaseLost extends DomainError {
  readonly code = 'lease_lost';
}

/**
 * Lease and checkpoint move by the same append, at the exact revision of one stream. So an owner that lost the lease, however
 * late it finds out, cannot move the checkpoint, and whoever takes over begins where the last acknowledged append stands.
 */
export const relayDecider: Decider<RelayState, RelayCommand, Relayed> = {
  initial: { owner: '', until: 0, position: '0', reach: {} },
  decide: (command, state) => {
    const { owner, now } = command;
    switch (command.type) {
      case 'TakeLease':
        if (state.owner !== owner && now < state.until) throw new LeaseHeld('another process relays');
        return [relayed({ ...state, owner, until: now + command.ttl })];
      case 'RenewLease':
        assertHolder(owner, state);
        return [relayed({ ...state, until: now + command.ttl })];
      case 'Advance':
        assertHolder(owner, state);
        return [relayed({ owner, until: now + command.ttl, position: command.position, reach: command.reach })];
      case 'ReleaseLease':
        return state.owner === owner && now < state.until ? [relayed({ ...state, until: now })] : [];
      default:
        return assertNever(command);
    }
  },
  evolve: (_state, { data }) => data,
};

/** A lease whose time is up is still held as long as nobody else has taken it. */
const assertHolder = (owner: string, state: RelayState): void => {
  if (state.owner !== owner) throw new LeaseLost('another process has taken over');
};

const relayed = (data: RelayState): Relayed => ({ type: 'Relayed', data });
