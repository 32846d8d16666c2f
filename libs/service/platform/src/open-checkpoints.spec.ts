import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, NO_STREAM } from '#engines/event-store';
import { type KeyRing, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { Log, Metrics } from '#telemetry';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';

import { authenticate } from './authenticate.js';
import { type Checkpoints, openCheckpointWriter } from './open-checkpoints.js';
import type { Platform } from './platform.js';
import { STREAMS } from './streams.js';

const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);

/** A log that counts its errors by their text. */
class CountedErrors extends Log {
  readonly errors: string[] = [];

  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(message: string): void {
    this.errors.push(message);
  }
}

describe.each(STORE_ENGINES)('the checkpoints of a service, over $engine', ({ open }) => {
  const signal = new AbortController().signal;
  let directory: string;
  let raw: EventStore;
  let eventStore: EventStore;
  let log: CountedErrors;
  let metrics: Metrics;
  let clock: FixedClock;

  beforeEach(async () => {
    [clock, log, metrics] = [new FixedClock(), new CountedErrors(), new Metrics()];
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
    raw = await open(clock);
    eventStore = authenticate(raw, { environment: 'test', eventKeys: ring('event'), log, metrics });
  });
  afterEach(async () => {
    await raw.close();
    await rm(directory, { recursive: true });
  });

  const writer = (anchorDirectory: string | undefined = directory): Checkpoints | undefined =>
    openCheckpointWriter({
      settings: { environment: 'test', anchorDirectory },
      keys: { checkpoint: ring('checkpoint') },
      eventStore,
      clock,
      log,
      metrics,
      useCases: { administration: () => ({ securityLines: async () => [] }) },
    } as unknown as Platform);
  const sizeOf = async (): Promise<number> => Number((await readFile(join(directory, 'checkpoint'), 'utf8')).split('\n')[1]);

  it('hold every guarded type of event, and no other one', async () => {
    let guarded = 0;
    for (const { terms, category } of STREAMS) {
      for (const type of terms.events.types) {
        const streams = STREAMS.find((one) => one.category === category)!;
        await eventStore.append(streams.of(`of ${type}`), NO_STREAM, [{ type, data: { at: clock.now() } }]);
      }
      guarded += terms.guarded.length;
    }
    await writer()!.write(signal);
    expect(log.errors).toEqual([]);
    expect(await sizeOf()).toBe(guarded);
    expect((await metrics.history.leaves.get()).values).toMatchObject([{ value: guarded, labels: { place: 'ANCHOR_DIR' } }]);
  });

  it('are made only where a setting names a place', () => {
    expect(writer('')).toBeDefined();
    expect(openCheckpointWriter({ settings: { environment: 'test' } } as unknown as Platform)).toBeUndefined();
  });

  it('tell the log when a place does not take them, and when the store has become another one', async () => {
    const audit = STREAMS.find(({ category }) => category === 'audit')!;
    const begun = (revision: number | typeof NO_STREAM) => eventStore.append(audit.of('log'), revision, [{ type: 'AdminChangeBegun', data: {} }]);
    await begun(NO_STREAM);
    await writer(join(directory, 'missing'))!.write(signal);
    expect(log.errors).toEqual(['a checkpoint of the history was not published']);
    expect((await metrics.history.checkpointFailures.get()).values).toMatchObject([{ value: 1 }]);
    log.errors.length = 0;
    await writer()!.write(signal);
    expect([await sizeOf(), log.errors]).toEqual([1, []]);
    await begun(0);
    const other = authenticate(await open(clock), { environment: 'test', eventKeys: ring('event'), log, metrics });
    eventStore = other;
    await writer()!.write(signal);
    expect([await sizeOf(), log.errors]).toEqual([1, ['no checkpoint of the history is made']]);
    await other.close();
  });
});
