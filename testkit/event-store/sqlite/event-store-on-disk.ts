import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FixedClock } from '../../kernel/fixed-clock.js';

import { type StreamName, streamName } from '#engines/event-store';
import { SqliteEventStore } from '#engines/event-store';

export let folder: string;
export let path: string;
export let clock: FixedClock;
export let store: SqliteEventStore;

/** Each test of the file gets a store in a folder of its own. */
export const useEventStore = (): void => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'event-store-'));
    path = join(folder, 'new', 'events.db');
    clock = new FixedClock();
    open();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
};

export const open = (): void => {
  store = new SqliteEventStore({ path, clock });
};
export const reopen = async (): Promise<void> => {
  await store.close();
  open();
};
export const stream = (name: string): StreamName => streamName('test', name);
export const onDisk = (text: string): boolean =>
  readdirSync(join(folder, 'new')).some((file) => readFileSync(join(folder, 'new', file)).includes(text));
