import { readFile } from 'node:fs/promises';

import { ForwardingEventStore, NO_STREAM, SqliteEventStore, UnitOfWork } from '#engines/event-store';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import type { AuditEvent } from '../audit/audit-events.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AUDIT_FORWARDING, type AuditForwarded } from '../streams.js';
import { ForwardingTarget, type ForwardedEntry, TargetUnavailable } from './forwarding-target.js';
import { ForwardAuditTrail } from './forward-audit-trail.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('audit-forwarded.v1.json', import.meta.url), 'utf8')) as AuditForwarded[];

/** Keeps what it is sent. */
class KeepingTarget extends ForwardingTarget {
  readonly name = 'siem';
  readonly messages: (readonly ForwardedEntry[])[] = [];
  isAway = false;

  override async send(entries: readonly ForwardedEntry[]): Promise<void> {
    if (this.isAway) throw new TargetUnavailable('away');
    this.messages.push(entries);
  }

  get sequences(): readonly number[] {
    return this.messages.flat().map(({ sequence }) => sequence);
  }
}

const signal = new AbortController().signal;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('the audit trail that goes to another system', () => {
  let clock: FixedClock;
  let store: SqliteEventStore;
  let unitOfWork: UnitOfWork;
  let target: KeepingTarget;
  let lags: number[];

  beforeEach(() => {
    clock = new FixedClock();
    store = new SqliteEventStore({ path: ':memory:', clock });
    unitOfWork = new UnitOfWork(store, clock);
    target = new KeepingTarget();
    lags = [];
  });
  afterEach(() => store.close());

  const event = (number: number): AuditEvent => ({
    type: 'AdminChangeBegun',
    data: { changeId: `change ${number}`, actor: 'first-start', role: 'all', action: 'POST /admin/v1/clients', target: {}, at: clock.now() },
  });
  const record = async (count: number): Promise<void> => {
    const trail = new AuditTrail(unitOfWork);
    await Promise.all(Array.from({ length: count }, (_, number) => trail.record(event(number))));
  };
  const forwarding = (over = unitOfWork): ForwardAuditTrail =>
    new ForwardAuditTrail({ unitOfWork: over, clock, target, lags: (milliseconds) => lags.push(milliseconds) });

  it('is sent whole and in its order, in bounded messages, and once', async () => {
    await record(250);
    const one = forwarding();
    await one.execute(signal);
    await one.execute(signal);
    await record(2);
    await forwarding().execute(signal);
    expect(target.sequences).toEqual(upTo(252));
    expect(target.messages.map(({ length }) => length)).toEqual([100, 100, 50, 2]);
    const stored = await store.read(AUDIT_FORWARDING.of('siem'));
    expect(stored.map(({ data }) => data)).toMatchObject([{ sequence: 251 }]);
    expect(target.messages.at(-1)![1]).toEqual({
      eventId: (await store.read('audit-log' as never)).at(-1)!.id,
      sequence: 251,
      phase: 'BEGUN',
      ...event(1).data,
    });
  });

  it('waits for a target that is away, with the age of the oldest entry, and leaves nothing out', async () => {
    await record(1);
    target.isAway = true;
    await expect(forwarding().execute(signal)).rejects.toThrow(TargetUnavailable);
    clock.advance(5_000);
    await record(1);
    await expect(forwarding().execute(signal)).rejects.toThrow(TargetUnavailable);
    target.isAway = false;
    await forwarding().execute(signal);
    expect([target.sequences, lags]).toEqual([
      [0, 1],
      [0, 5_000, 5_000, 0],
    ]);
  });

  it('is sent again, with the same ids, where the process has ended before its place was stored', async () => {
    await record(3);
    class Ending extends ForwardingEventStore {
      override append(): never {
        throw new Error('ended');
      }
      override appendTogether(): never {
        throw new Error('ended');
      }
    }
    await expect(forwarding(new UnitOfWork(new Ending(store), clock)).execute(signal)).rejects.toThrow('ended');
    await forwarding().execute(signal);
    expect(target.sequences).toEqual([...upTo(3), ...upTo(3)]);
    const ids = target.messages.flat().map(({ eventId }) => eventId);
    expect([new Set(ids).size, ids.slice(0, 3)]).toEqual([3, ids.slice(3)]);
  });

  it('never goes back where two processes send at once', async () => {
    await record(120);
    await Promise.all([forwarding().execute(signal), forwarding().execute(signal)]);
    expect(new Set(target.sequences)).toEqual(new Set(upTo(120)));
    await forwarding().execute(signal);
    expect((await store.read(AUDIT_FORWARDING.of('siem'))).at(-1)!.data).toMatchObject({ sequence: 119 });
  });

  it('goes on from a place as it was stored', async () => {
    await record(3);
    await store.append(AUDIT_FORWARDING.of('siem'), NO_STREAM, GOLDEN);
    await forwarding().execute(signal);
    expect(target.sequences).toEqual([2]);
  });

  it('ends with the signal', async () => {
    await record(1);
    const ended = new AbortController();
    ended.abort(new Error('over'));
    await expect(forwarding().execute(ended.signal)).rejects.toThrow('over');
    expect(target.sequences).toEqual([]);
  });
});
