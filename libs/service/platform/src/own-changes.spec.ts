import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** What keeps values by a key from one request to the next. */
const KEEPING = /(?:^ {2}(?:readonly )?(#\w+)|^const (\w+)) = new (?:Map|RecentlyUsed|WeakMap|Note|LRUCache|SharedReads)\b/gm;

/**
 * Everything that the domain remembers of a stream or of a request, and why a process shows its own change at once all the same: with one process every look is
 * exact, over each store (specification/storage.md#client-records-in-caches). All other looks read the stream, or are a copy that changes with the commit.
 */
const REMEMBERED: Readonly<Record<string, string>> = {
  'identity/src/domain/authentication-key.ts keys': 'the object of a key, by its whole content',
  'identity/src/erasure-list/authenticated-erasure-list.ts #known': 'lines that this process has read or written; the list is read each time',
  'identity/src/repositories/devices.ts #enrolments': 'an enrolment never changes, and counts only beside the newest event, which is read',
  'identity/src/use-cases/find-enrolment.ts #known': 'an enrolment never changes; whether the device is still of use is read by the caller',
  'identity/src/use-cases/renew-certificate.ts #running': 'renewals under way, so that each device has one',
  'openid/src/keys/client-key-sets.ts #copies': 'a copy for each client, of the address that it has now',
  'openid/src/keys/signing-keys.ts #made': 'the objects of a pair of keys, by the pair itself',
  'relying-party/src/repositories/client-records.ts #recent': 'dropped by a change of this process: client-records.spec.ts has every command',
  'relying-party/src/repositories/client-records.ts #records': 'by the folded state, which a change replaces',
  'relying-party/src/read-models/find-close-names.ts #forms': 'the forms of a name, which the name alone decides',
  'session/src/approval/verified-signatures.ts #right': 'a signature, its key and what it signs: always true',
  'session/src/domain/country-calendars.ts #made': 'calendars of countries',
  'session/src/domain/unusual-counts.ts #counted': 'counts for alarms, which no answer shows',
  'session/src/integration-events.ts made': 'by the stored event, which never changes',
  'session/src/status/redis/redis-servers.ts #connected': 'connections',
  'session/src/status/redis/redis-subscriber.ts #subscriptions': 'subscriptions',
  'session/src/status/redis/redis-watches.ts #subscribers': 'connections',
  'session/src/status/status-cache.ts #unwritten': 'statuses of own appends, which are newer than what Redis has',
  'session/src/timers/partition-timers.ts #next': 'when a timer looks again',
  'session/src/use-cases/end-sessions-of-revoked-devices.ts #lookedAt': 'when the sessions of a phone were last looked for',
  'session/src/use-cases/erase-sessions-of-persons.ts #lookAgainAt': 'when the sessions of a person are looked for again',
  'webhook/src/delivery/delivery-logs.ts #logs': 'the logs that this process appends to, each changed by its append',
  'webhook/src/delivery/known-deliveries.ts #all': 'the same',
  'webhook/src/delivery/known-deliveries.ts #ended': 'the same',
  'webhook/src/delivery/known-deliveries.ts #lanes': 'the same',
  'webhook/src/listening/session-feed.ts #listeners': 'open connections',
  'webhook/src/use-cases/attempt-delivery.ts #gates': 'attempts under way',
  'webhook/src/use-cases/fan-out.ts #endpoints': 'a read that begins after the question',
};

describe('what the domain remembers from one request to the next', () => {
  it('is on the list, each with the reason why an own change shows at once', () => {
    const paths = globSync('libs/domain/*/src/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.spec.ts'));
    expect(paths.length).toBeGreaterThan(200);
    const found = paths.flatMap((path) =>
      [...readFileSync(resolve(ROOT, path), 'utf8').matchAll(KEEPING)].map(
        ([, field, constant]) => `${path.replace('libs/domain/', '')} ${field ?? constant}`,
      ),
    );
    expect(found.toSorted()).toEqual(Object.keys(REMEMBERED).toSorted());
  });
});
