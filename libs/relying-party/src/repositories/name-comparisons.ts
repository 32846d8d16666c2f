import type { ClientId, Clock, DomainEvent } from '#kernel';
import { decideAndAppend, type EventStore, type LastEvent, readLast, streamName } from '#event-store';

import { RULES } from '../domain/name/skeleton.js';

/** The outcome of a comparison of all clients' names. */
export type NameComparison = {
  /** How many clients lacked the reservation of their skeleton. */
  readonly reserved: number;
  /** The clients whose names look like another client's. */
  readonly alike: readonly ClientId[];
};

/** The event of the stream `namecomparison-all`. `rules` is the number of the rules that made the skeletons. */
export type NamesCompared = DomainEvent<'NamesCompared', NameComparison & { readonly at: number; readonly rules: number }>;

export const NAME_COMPARISONS = streamName('namecomparison', 'all');

/** A replica that compares names by other rules, or not at all, may run for this time beside the first one that makes reservations. Milliseconds. */
const UPGRADE_TIME = 24 * 3_600_000;
/** More clients than this do not go into one event; the comparison is then repeated until staff has renamed some. */
const MOST_ALIKE = 1_000;

/** Remembers in the store that the names of all clients were compared, so that a start need not look at each of them. */
export class NameComparisons {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** The clients whose names look like another client's, by the comparison that ended the work; undefined while all names are still to be compared. */
  async alike(): Promise<readonly ClientId[] | undefined> {
    const { last } = await readLast<NamesCompared>(this.store, NAME_COMPARISONS);
    return last && endsTheWork(last) ? last.data.alike : undefined;
  }

  /**
   * Notes a comparison of all names. The work ends with one that found every reservation, unless it began less than a day after one that did not: an older replica
   * may have stored a name in between.
   *
   * @param begun when the comparison began, in epoch milliseconds.
   */
  async note(comparison: NameComparison, begun: number): Promise<void> {
    const { store, clock } = this;
    if (comparison.alike.length > MOST_ALIKE) return;
    await decideAndAppend<LastEvent<NamesCompared>, NamesCompared>({ store, clock }, NAME_COMPARISONS, {
      load: (conflict) => readLast<NamesCompared>(store, NAME_COMPARISONS, conflict),
      decide: ({ last }) => {
        const settled = last?.data.rules !== RULES || (!endsTheWork(last) && begun >= last.data.at + UPGRADE_TIME);
        if (comparison.reserved === 0 && !settled) return [];
        return [{ type: 'NamesCompared', data: { at: clock.now(), rules: RULES, ...comparison } }];
      },
    });
  }
}

const endsTheWork = ({ data }: NamesCompared): boolean => data.rules === RULES && data.reserved === 0;
