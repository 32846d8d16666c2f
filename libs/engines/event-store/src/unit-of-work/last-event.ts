import type { DomainEvent, Stored } from '#kernel';

import type { AnyStreams } from '../declared-streams.js';
import type { StreamName } from '../event-store.js';
import type { Streams } from './streams.js';
import type { StreamType } from './stream-type.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Streams whose last event is their whole state: reservations, records, logs. A command is the events to append. */
export interface LastEventType<Event extends DomainEvent> extends StreamType<Stored<Event> | undefined, readonly Event[], Event> {
  readonly streams: AnyStreams;
}

/** The type of such streams. `undefined`: the stream shows no event. */
export const lastEventOf = <Event extends DomainEvent>(streams: AnyStreams): LastEventType<Event> => ({
  streams,
  category: streams.category,
  decider: { initial: undefined, decide: (events) => events, evolve: (_, event) => event },
  read: (store, stream) => store.read<Event>(stream, { direction: 'backwards', limit: 1 }),
  isLastEvent: true,
  isAged: streams.shortening === 'aged',
});

/**
 * Decides on the last event of a stream, which may have lost all its events by age. `decide` may run several times. Answers the event that is the last one now.
 * Throws what `decide` and {@link UnitOfWork.run} throw.
 */
export const decideOnLast = async <Event extends DomainEvent>(
  unitOfWork: UnitOfWork,
  { type, stream }: { readonly type: LastEventType<Event>; readonly stream: StreamName },
  decide: (last: Stored<Event> | undefined, streams: Streams) => readonly Event[] | Promise<readonly Event[]>,
): Promise<{ readonly last: Stored<Event> | undefined; readonly isAppended: boolean }> => {
  const { one, isAppended } = await unitOfWork.run(async (streams) => {
    const loaded = await streams.load(type, stream);
    const decided = loaded.decide(await decide(loaded.state, streams));
    return { one: loaded, isAppended: decided.length > 0 };
  });
  return { last: one.state, isAppended };
};
