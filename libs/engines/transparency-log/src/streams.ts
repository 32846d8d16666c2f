import { DeclaredStreams } from '#engines/event-store';
import { type DomainEvent, knownEvents } from '#kernel';

/** Up to where the store was read. `position` in decimal digits. */
export type ReadUpTo = { readonly position: string; readonly id: string };

/** A checkpoint that is about to be published. `at`: epoch milliseconds. `root`: base64. `before`: up to where the store was read at the checkpoint before, of `size` leaves. */
export type CheckpointNoted = DomainEvent<
  'CheckpointNoted',
  {
    readonly at: number;
    readonly size: number;
    readonly root: string;
    readonly last: ReadUpTo;
    readonly before?: ReadUpTo & { readonly size: number };
  }
>;

/** The newest checkpoint, as the store knows it: a store that knows an older one than the places outside is an older copy. */
export const HISTORY_NOTES = new DeclaredStreams({
  category: 'history',
  owner: 'libs/engines/transparency-log',
  ids: ['store'],
  events: knownEvents<CheckpointNoted>(1, { CheckpointNoted: true }),
  retention: { maxCount: 1 },
  unmarked: true,
  sealed: false,
  guarded: [],
});

export const HISTORY_STREAM = HISTORY_NOTES.of('store');
