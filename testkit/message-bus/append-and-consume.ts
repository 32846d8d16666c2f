import { writeSync } from 'node:fs';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { EmbeddedMessageBus } from '#engines/message-bus';
import { appendThing, ThingPublication } from './thing-publication.js';

/**
 * A process that appends events to the database given as argument and consumes them. Prints a line for each:
 * `+<thing>/<revision>` for a stored event, `.<thing>/<revision>` for a handled message.
 */
const clock = new SystemClock();
const randomness = new SystemRandomness();
const eventStore = new SqliteEventStore({ path: process.argv[2]!, clock });
const bus = new EmbeddedMessageBus({
  eventStore,
  publications: [new ThingPublication(eventStore, 'things')],
  clock,
  randomness,
  log: new SilentLog(),
  metrics: new Metrics(),
});

bus.consume({
  topic: 'things',
  group: 'group',
  types: ['thing.made', 'thing.moved'],
  handler: async ({ subject, esrevision }) => void writeSync(1, `.${subject}/${esrevision}\n`),
  signal: new AbortController().signal,
});

const appendForever = async (): Promise<void> => {
  for (;;) {
    const thing = randomness.uuid<string>();
    for (const type of ['Made', 'Moved', 'Moved']) {
      const [event] = await appendThing(eventStore, 'things', thing, type);
      if (event) writeSync(1, `+${thing}/${event.revision}\n`);
    }
  }
};

for (let writer = 0; writer < 10; writer += 1) void appendForever();
