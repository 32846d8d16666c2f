import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { killAfterLines, TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';
import { Metrics, SilentLog } from '#telemetry';

import { collector } from '#testkit/message-bus/contract/fixture';
import { ThingPublication } from '#testkit/message-bus/thing-publication';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

const PROGRAM = join(import.meta.dirname, '../../../../../testkit/message-bus/append-and-consume.ts');

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'message-bus-'));
  path = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('after kill -9 every stored event is handled, in order', async () => {
  const lines: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    lines.push(
      ...(await killAfterLines(
        spawn(process.execPath, [...TYPESCRIPT_ARGUMENTS, PROGRAM, path], { stdio: ['ignore', 'pipe', 'ignore'], env: {} }),
        1_000,
      )),
    );
  }
  const stored = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  const handled = lines.filter((line) => line.startsWith('.')).map((line) => line.slice(1));
  expect(stored.length).toBeGreaterThan(500);

  const clock = new SystemClock();
  const eventStore = new SqliteEventStore({ path, clock });
  const bus = new EmbeddedMessageBus({
    eventStore,
    publications: [new ThingPublication(eventStore, 'things')],
    clock,
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
  const rest = collector();
  const stop = new AbortController();
  const { done } = bus.consume({
    topic: 'things',
    group: 'group',
    types: ['thing.made', 'thing.moved'],
    handler: rest.handler,
    signal: stop.signal,
  });
  const missing = new Set(stored);
  for (const name of handled) missing.delete(name);
  for (let seen = 0; missing.size > 0; seen += 1) {
    await rest.until(seen + 1);
    missing.delete(rest.seen[seen]!);
  }
  stop.abort();
  await done;
  await eventStore.close();

  const all = [...new Set([...handled, ...rest.seen])];
  for (const thing of new Set(all.map((name) => name.split('/')[0]))) {
    const revisions = all.filter((name) => name.startsWith(`${thing}/`)).map((name) => Number(name.split('/')[1]));
    expect(revisions).toEqual(revisions.map((_, index) => index));
  }
});
