import { assertNever, type Decider, domainError } from '#kernel';
import type { TopicReach } from '#engines/message-bus';

/** The part of the store that the topic holds. */
export type Progress = {
  /** Position in the store up to which the broker has acknowledged everything; `0` for the beginning. */
  readonly position: string;
  /** The lowest end of each partition, by which a lost topic is noticed. */
  readonly reach: TopicReach;
  /** While a lost topic is filled again. */
  readonly refill?: Refill;
};

/** The part of history that a lost topic still has to get again. */
export type Refill = {
  /** Everything up to and including this position is on the topic, or lies before the horizon. */
  readonly position: string;
  /** Where the live events begin: the last position of the refill. */
  readonly until: string;
  /** When the topic was found lost, epoch milliseconds. */
  readonly at: number;
};

/** A former position: at the time `at` (epoch milliseconds) the broker had acknowledged no event after it. */
export type FormerPosition = { readonly at: number; readonly position: string };

/** The lease and the checkpoint of the relay. Each event holds the whole state; only the last one is kept. */
export type Relayed = {
  readonly type: 'Relayed';
  readonly data: Progress & {
    /** The process that holds the lease; a new id for each start. */
    readonly owner: string;
    /** Until when no other process may take the lease, epoch milliseconds. */
    readonly until: number;
    /** Former positions by time, oldest first: they tell where a refill begins. Absent before the first one. */
    readonly former?: readonly FormerPosition[];
  };
};

export type RelayState = Relayed['data'];

/** A command that only the holder of the lease may give. */
interface Holder {
  readonly owner: string;
  readonly now: number;
  readonly ttl: number;
  /** The position of the checkpoint as its holder knows it. */
  readonly known: string;
}

export type RelayCommand =
  | { readonly type: 'TakeLease'; readonly owner: string; readonly now: number; readonly ttl: number }
  /** Renews the lease, too. `horizon`, in milliseconds: how far back a refill will have to begin. */
  | (Holder & { readonly type: 'Checkpoint'; readonly progress: Progress; readonly horizon: number })
  /** The topic is empty: live events go on after `position`; the events between the horizon and there are published again beside them. */
  | (Holder & { readonly type: 'RefillTopic'; readonly position: string; readonly horizon: number })
  /** The store does not know the checkpoint: live events go on after `position`, which it knows, and everything before is published again. */
  | (Holder & { readonly type: 'BeginAnew'; readonly position: string })
  /** A progress with the position that the holder knows: in a store that was restored from an older copy since, the checkpoint of the copy stays. */
  | {
      readonly type: 'ReleaseLease';
      readonly owner: string;
      readonly now: number;
      readonly last?: { readonly progress: Progress; readonly known: string };
    };

/** Another process holds the lease. */
export class LeaseHeld extends domainError('lease_held') {}

/** Another process has taken the lease: stop relaying. */
export class LeaseLost extends domainError('lease_lost') {}

/** The checkpoint lies before the one that its holder knows, although only the holder moves it: the store was restored from an older copy. */
export class CheckpointWentBack extends domainError('checkpoint_went_back') {}

/** A refill begins up to a twelfth of the horizon too early; a finer scale would make each checkpoint larger. */
export const STEPS_PER_HORIZON = 12;

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
      case 'Checkpoint':
        assertHolder(command, state);
        return [relayed({ owner, until: now + command.ttl, ...command.progress, former: formerAfter(command, state) })];
      case 'RefillTopic':
        assertHolder(command, state);
        return [relayed({ ...withoutRefill(state), until: now + command.ttl, ...refilled(beginOf(command, state), command), reach: {} })];
      case 'BeginAnew':
        assertHolder(command, state);
        return [relayed({ ...withoutRefill(state), until: now + command.ttl, ...refilled('0', command), former: [] })];
      case 'ReleaseLease':
        return state.owner === owner && now < state.until ? [released(command, state)] : [];
      default:
        return assertNever(command);
    }
  },
  evolve: (_state, { data }) => data,
};

/** After its time a lease is still held until another process takes it. */
const assertHolder = ({ owner, known }: Holder, state: RelayState): void => {
  if (state.owner !== owner) throw new LeaseLost('another process has taken over');
  if (wentBack(known, state)) throw new CheckpointWentBack('the store was restored from an older copy');
};

const wentBack = (known: string, { position }: RelayState): boolean => BigInt(position) < BigInt(known);

const relayed = (data: RelayState): Relayed => ({ type: 'Relayed', data });

/** A progress without a refill ends the one in the state. */
const released = ({ now, last }: RelayCommand & { readonly type: 'ReleaseLease' }, state: RelayState): Relayed =>
  relayed(last && !wentBack(last.known, state) ? { ...withoutRefill(state), ...last.progress, until: now } : { ...state, until: now });

const withoutRefill = ({ refill: _, ...state }: RelayState): RelayState => state;

/** Keeps one position older than the horizon, where a refill begins, and the younger ones. */
const formerAfter = (
  { now, horizon, progress }: { readonly now: number; readonly horizon: number; readonly progress: Progress },
  { former = [] }: RelayState,
): readonly FormerPosition[] => {
  const last = former.at(-1);
  const all = !last || now - last.at >= horizon / STEPS_PER_HORIZON ? [...former, { at: now, position: progress.position }] : former;
  const begin = all.findLastIndex(({ at }) => at <= now - horizon);
  return begin > 0 ? all.slice(begin) : all;
};

/** The newest former position that is as old as the horizon; the beginning of the store if none is that old. */
const beginOf = ({ now, horizon }: { readonly now: number; readonly horizon: number }, { former = [] }: RelayState): string =>
  former.findLast(({ at }) => at <= now - horizon)?.position ?? '0';

const refilled = (
  begin: string,
  { now, position }: { readonly now: number; readonly position: string },
): Pick<RelayState, 'position' | 'refill'> => ({
  position,
  ...(BigInt(begin) < BigInt(position) && { refill: { position: begin, until: position, at: now } }),
});
