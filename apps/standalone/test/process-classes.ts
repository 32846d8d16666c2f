import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export type Class = abstract new (...given: never[]) => object;

/** No product, or a program that starts when it is imported. */
const NOT_IMPORTED = /\.(spec|check|contract)\.ts$|^apps\/(cli|standalone)\/|\/main\.ts$/;

/** Every exported class of these files that is no error: read from the folders, so that a new class counts. */
export const classesIn = async (patterns: readonly string[]): Promise<readonly Class[]> => {
  const found = new Set<Class>();
  for (const file of globSync([...patterns], { cwd: ROOT })) {
    if (NOT_IMPORTED.test(file)) continue;
    for (const member of Object.values((await import(join(ROOT, file))) as Record<string, unknown>))
      if (typeof member === 'function' && /^class\b/.test(member.toString()) && !(member.prototype instanceof Error))
        found.add(member as unknown as Class);
  }
  return [...found];
};

/** The domain, and the unit of work with its queues and its memory. */
export const DECIDING = ['libs/domain/*/src/**/*.ts', 'libs/engines/event-store/src/unit-of-work/*.ts'];

/** What every application shares beside: the parts of the process, its engines, and the applications themselves. What HTTP needs is made for each application. */
export const SHARED = ['libs/service/platform/src/*.ts', 'libs/engines/*/src/**/*.ts', 'apps/*/src/**/*.ts'];

/** Where a class may have several objects in a process: it holds nothing, or another thing each. */
export const SEVERAL: ReadonlyMap<string, string> = new Map([
  ['AuthorizeLogin', 'one looks at sessions, one at cached statuses'],
  ['GuardedExchange', 'one of each GuardedPost, one of GuardedGet'],
  ['GuardedPost', 'one for webhooks, one for pushes, whose networks are others'],
  ['PartitionTimers', 'one for each kind of deadline'],
  ['ReachableNetworks', 'one for webhooks, one for pushes'],
  ['StreamMemory', 'one for streams that grow, one for the others, which they would displace'],
  ['UnusualCounts', 'one for each kind of count'],
]);

/** The same of {@link SHARED}. */
export const SEVERAL_SHARED: ReadonlyMap<string, string> = new Map([
  ['CommandHandler', 'one of each type of streams, without a state of its own'],
  ['GroupCommit', 'one of each SQLite file: that of events, that of jobs'],
  ['DatabaseFiles', 'one of each SQLite file: that of events, that of jobs, that of read models'],
  ...['LogSubscription', 'Waiter'].map((name) => [name, 'one of each subscription'] as const),
  ...['MemoryRateLimits', 'MemoryLocks', 'Windows'].map(
    (name) => [name, 'those of requests; one of each application for its lines of refusals'] as const,
  ),
  ...['Projector', 'ReadModel', 'AppliedEvents', 'ProjectionLag', 'ProjectionState', 'SubscriptionProgress'].map(
    (name) => [name, 'one of each read model'] as const,
  ),
  ...['EmbeddedConsumer', 'GroupOffset', 'DeadLetterStream', 'Handover', 'HandledRevisions'].map(
    (name) => [name, 'one of each consumer group'] as const,
  ),
  ...['Attempt', 'MessageContext'].map((name) => [name, 'one of each message'] as const),
  ...['MessageBusStrategy', 'RethrowFilter'].map((name) => [name, 'one of each application with consumers'] as const),
  ['SqliteProcessing', 'one of each queue of jobs'],
  ['StreamChanges', 'one of the sessions, one of the inboxes'],
]);

/** The classes of which a process has made two or more, and has no reason. */
export const twice = (counts: ReadonlyMap<string, number>, reasons: ReadonlyMap<string, string>): readonly string[] =>
  [...counts].filter(([name, count]) => count > 1 && !reasons.has(name)).map(([name, count]) => `${count} ${name}`);
