import { writeSync } from 'node:fs';

import { SystemClock, SystemRandomness } from '#kernel';

import { NO_STREAM, streamName } from '#engines/event-store';
import { SqliteEventStore } from '#engines/event-store';

/**
 * A process of its own that appends pairs of events, 50 at a time, to the file given as argument, and prints a line
 * for each outcome: `+<id>` acknowledged, `-<id>` refused.
 */
const randomness = new SystemRandomness();
const store = new SqliteEventStore({ path: process.argv[2]!, clock: new SystemClock() });

const appendForever = async (): Promise<void> => {
  for (;;) {
    const id = randomness.uuid<string>();
    const pair = [1, 2].map((number) => ({ type: 'Appended', data: { number, text: 'x'.repeat(500) } }));
    const outcome = await store.append(streamName('pair', id), NO_STREAM, pair).then(
      () => '+',
      () => '-',
    );
    writeSync(1, `${outcome}${id}\n`);
  }
};

for (let writer = 0; writer < 50; writer += 1) void appendForever();
