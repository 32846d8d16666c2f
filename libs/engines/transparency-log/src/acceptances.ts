import { DeclaredStreams, type EventStore } from '#engines/event-store';
import { type DomainEvent, knownEvents } from '#kernel';

/** Size and root of a tree, the root as base64. */
export type TreeHead = { readonly size: number; readonly root: string };

/** Indexes of leaves, the first and the last one. */
export type LeafRange = readonly [first: number, last: number];

/** What was lost, and to what the store is to go on from. */
export type Loss = {
  /** The newest checkpoint outside of the store. */
  readonly published: TreeHead;
  /** The newest one that the store names; absent where it names none. */
  readonly stored?: TreeHead;
  readonly lost: readonly LeafRange[];
};

/** The loss was accepted by those who may: the history goes on without these leaves. `at`: epoch milliseconds. `by`: who has accepted it. */
export type LossAccepted = DomainEvent<'LossAccepted', Loss & { readonly at: number; readonly requestId: string; readonly by: readonly string[] }>;

export const HISTORY_ACCEPTANCES = new DeclaredStreams({
  category: 'historyacceptance',
  owner: 'libs/engines/transparency-log',
  ids: ['all'],
  events: knownEvents<LossAccepted>(1, { LossAccepted: true }),
  sealed: false,
  guarded: ['LossAccepted'],
});

const STREAM = HISTORY_ACCEPTANCES.of('all');

/** All of them, in their order. Throws what reads throw. */
export const readAcceptances = async (store: EventStore): Promise<readonly LossAccepted['data'][]> =>
  (await store.read<LossAccepted>(STREAM)).map(({ data }) => data);

/** The leaves that the store need not have. */
export const voidOf = (acceptances: readonly Loss[]): readonly LeafRange[] => acceptances.flatMap(({ lost }) => lost);

/** The ranges that hold these indexes and no others. */
export const rangesOf = (indexes: readonly number[]): readonly LeafRange[] => {
  const ranges: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
};
