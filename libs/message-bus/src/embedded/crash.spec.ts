import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { SqliteEventStore } from '#event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { collector } from '../contract/fixture.js';
import { ThingPublication } from '../testing/thing-publication.js';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

// Lets Node run the TypeScript sources: types are stripped, and `./x.js` means `./x.ts`.
const HOOK = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (specifier, context, next) =>
  next(context.parentURL?.endsWith('.ts') && specifier.startsWith('.') ? specifier.replace(/js$/, 'ts') : specifier, context) });`;
const NODE = ['--experimental-transform-types', '--conditions=source', '--import', HOOK.replaceAll('\n', '')];
const PROGRAM = join(import.meta.dirname, '../testing/append-and-consume.ts');

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'message-bus-'));
  path = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Kills the process after `lines` lines of output, and answers them. */
const watch = async (child: ChildProcess, lines: number): Promise<string[]> => {
  const output: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout! })) {
    if (output.push(line) === lines) child.kill('SIGKILL');
  }
  await exit;
  return output;
};

it('after kill -9 every stored event is handled, in order', async () => {
  const lines: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    lines.push(...(await watch(spawn(process.execPath, [...NODE, PROGRAM, path], { stdio: ['ignore', 'pipe', 'ignore'], env: {} }), 1_000)));
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
