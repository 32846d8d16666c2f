import { writeSync } from 'node:fs';

import { type ExpectedRevision, NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemClock } from '#kernel';

import { authenticated } from '../event-store/authenticated.js';
import { writerOver } from './anchored-store.js';

/**
 * Appends guarded events to a file and publishes their checkpoints, until it is killed. Writes a line before and after each append and each checkpoint.
 * With a number of lines as its third argument it kills itself right after that line, so that a drill reaches each place between two steps.
 */
const [, , path = '', folder = '', lastLine] = process.argv;
const store = authenticated(new SqliteEventStore({ path, clock: new SystemClock() }));
const writer = writerOver(store, folder);
const stream = streamName('right', 'a');
const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
let written = 0;
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
  if (++written === Number(lastLine)) process.kill(process.pid, 'SIGKILL');
};
let revision: ExpectedRevision = last?.revision ?? NO_STREAM;
for (;;) {
  for (let append = 0; append < 3; append++) {
    say('append');
    ({ revision } = await store.append(stream, revision, [{ type: 'GuardedGrant', data: {} }]));
    say(`stored ${revision}`);
  }
  say('checkpoint');
  await writer.write(new AbortController().signal);
  say('published');
}
