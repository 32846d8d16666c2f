import { writeSync } from 'node:fs';

import { type ExpectedRevision, NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemClock } from '#kernel';

import { authenticated } from '../event-store/authenticated.js';
import { writerOver } from './anchored-store.js';

/** Appends guarded events to a file and publishes their checkpoints, until it is killed. Writes a line before and after each append and each checkpoint. */
const [, , path = '', folder = ''] = process.argv;
const store = authenticated(new SqliteEventStore({ path, clock: new SystemClock() }));
const writer = writerOver(store, folder);
const stream = streamName('right', 'a');
const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
let revision: ExpectedRevision = last?.revision ?? NO_STREAM;
for (;;) {
  for (let append = 0; append < 3; append++) {
    writeSync(1, 'append\n');
    ({ revision } = await store.append(stream, revision, [{ type: 'GuardedGrant', data: {} }]));
    writeSync(1, `stored ${revision}\n`);
  }
  writeSync(1, 'checkpoint\n');
  await writer.write(new AbortController().signal);
  writeSync(1, 'published\n');
}
