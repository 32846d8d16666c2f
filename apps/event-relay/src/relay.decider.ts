import { assertNever, type Decider, DomainError } from '#kernel';
import type { TopicReach } from '#message-bus';

/** The lease and the checkpoint of the relay. Each event holds the whole state; only the last one is kept. */
export type Relayed = {
  readonly type: 'Relayed';
  readonly data: {
    /** The process that holds the lease; a new id for each start. */
    readonly owner: string;
    /** Until when no other process may take the lease, epoch milliseconds. */
    readonly until: number;
    /** Position in the store up to which the broker has acknowledged everything; `0` for the beginning. */
    readonly position: string;
    /** The lowest end of each partition, by which a lost topic is noticed. */
    readonly reach: TopicReach;
  };
};

export type RelayState = Relayed['data'];

export type RelayCommand =
  | { readonly type: 'TakeLease'; readonly owner: string; readonly now: number; readonly ttl: number }
  | {
      readonly type: 'RenewLease';
      readonly owner: string;
      readonly now: number;
      readonly ttl: number;
      /** The position of the checkpoint as its holder knows it. */
      readonly known: string;
    }
  | {
      readonly type: 'Advance';
      readonly owner: string;
      readonly now: number;
      readonly ttl: number;
      /** The position of the checkpoint as its holder knows it. */
      readonly known: string;
      readonly position: string;
      readonly reach: TopicReach;
    }
  | { readonly type: 'ReleaseLease'; readonly owner: string; readonly now: number };

/** Another process holds the lease. */
export class LeaseHeld extends DomainError {
  readonly code = 'lease_held';
}

/** Another process has taken the lease: stop relaying. */
export class LeaseLost extends DomainError {
  readonly code = 'lease_lost';
}

/** The checkpoint lies before the one that its holder knows, although only the holder moves it: the store was restored from an older copy. */
export class CheckpointWentBack extends DomainError {
  readonly code = 'checkpoint_went_back';
}

/**
 * Lease and checkpoint change in the same append, at the exact revision of one stream. So a process that lost the lease cannot
 * move the checkpoint, however late it notices, and its successor begins at the last acknowledged position.
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
        assertHolder(command, state);
        return [relayed({ ...state, until: now + command.ttl })];
      case 'Advance':
        assertHolder(command, state);
        return [relayed({ owner, until: now + command.ttl, position: command.position, reach: command.reach })];
      case 'ReleaseLease':
        return state.owner === owner && now < state.until ? [relayed({ ...state, until: now })] : [];
      default:
        return assertNever(command);
    }
  },
  evolve: (_state, { data }) => data,
};

/** After its time a lease is still held until another process takes it. */
const assertHolder = ({ owner, known }: { readonly owner: string; readonly known: string }, state: RelayState): void => {
  if (state.owner !== owner) throw new LeaseLost('another process has taken over');
  if (BigInt(state.position) < BigInt(known)) throw new CheckpointWentBack('the store was restored from an older copy');
};

const relayed = (data: RelayState): Relayed => ({ type: 'Relayed', data });
