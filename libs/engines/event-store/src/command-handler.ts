import type { DomainEvent } from '#kernel';

import type { StreamName } from './event-store.js';
import type { StreamInWork } from './unit-of-work/streams.js';
import type { Loaded, StreamType } from './unit-of-work/stream-type.js';
import type { UnitOfWork } from './unit-of-work/unit-of-work.js';

/**
 * One command on one stream: a {@link UnitOfWork} with one decision, on a state that is read. For commands that are seldom, and for those that need more than their
 * state to be made. The stream must have no maximum age: nothing begins it a second time.
 */
export class CommandHandler<State, Command, Event extends DomainEvent> {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly type: StreamType<State, Command, Event>,
  ) {}

  load(stream: StreamName): Promise<Loaded<State, Event>> {
    return this.unit.read(this.type, stream);
  }

  /**
   * Runs one command, which is made anew from the state for each decision, and returns the stream after it.
   * Throws the decider's refusals, {@link NewerEventStored}, and {@link ServiceUnavailable} when it lost races for five seconds.
   */
  async handle(stream: StreamName, command: (state: State) => Command | Promise<Command>): Promise<Loaded<State, Event>> {
    const handled = await this.unit.run(async (streams) => {
      const one: StreamInWork<State, Command, Event> = await streams.load(this.type, stream);
      streams.onReads();
      one.decide(await command(one.state));
      return one;
    });
    return handled.loaded;
  }
}
