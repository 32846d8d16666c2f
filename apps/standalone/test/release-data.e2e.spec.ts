import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { globSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { categoryOf, type EventStore, type RecordedEvent } from '#engines/event-store';
import { sha256Base64url } from '#kernel';
import { STREAMS } from '#service/platform';
import { eventually } from '#testkit/kernel/eventually';

import { PIN, type Recorded, recordRelease, ServiceOnData, unpackRelease } from './release-data.fixture.js';

jest.setTimeout(120_000);

/** A value that is encrypted with a data key (libs/kernel/src/sealer.ts), in the JSON of an event. */
const SEALED = /"[A-Za-z0-9_-]{1,32}\.([^."]{1,8}\.)?[A-Za-z0-9_-]{38,}"/;
const ROOT = join(import.meta.dirname, '../../..');
/** `RECORD_RELEASE=2027-03 npm test -- release-data` keeps what today's code stores as one more release. */
const recording = process.env['RECORD_RELEASE'];
if (recording !== undefined) {
  const directory = await mkdtemp(join(tmpdir(), 'recording-'));
  await recordRelease(recording, directory);
  await rm(directory, { recursive: true });
}

describe.each(readdirSync(join(ROOT, 'test/vectors/releases')).filter((name) => /^\d/.test(name)))(
  'a data directory of the release %s',
  (release) => {
    let directory: string;
    let known: Recorded;
    let service: ServiceOnData;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'release-'));
      known = await unpackRelease(release, directory);
      service = await ServiceOnData.start(directory, known.until);
    });
    afterAll(async () => {
      await service?.standalone.close();
      await rm(directory, { recursive: true, force: true });
    });

    it('opens: a login that waited for its approval is approved, and gives the subjectId of before', async () => {
      const phone = service.restore(known.phone);
      expect((await phone.pending()).body).toMatchObject({ sessions: [{ sessionId: known.pendingSession }] });
      await phone.scan(known.pendingSession);
      expect((await phone.confirm(PIN)).status).toBe(200);
      expect(await service.exchange(known.credentials, known.pendingSession)).toMatchObject({ subjectId: known.subjectId });
    });

    it('gives a new login of the same person the same subjectId', async () => {
      const sessionId = await service.login(known.credentials);
      const phone = service.restore(known.phone);
      await phone.scan(sessionId);
      await phone.confirm(PIN);
      expect(await service.exchange(known.credentials, sessionId)).toMatchObject({ subjectId: known.subjectId });
    });

    it('still holds the container of a signature, byte by byte', async () => {
      const { status, body } = await service.call('GET', `/relying-party/v1/session/${known.signedSession}/result`, known.credentials);
      expect(status).toBe(200);
      expect(sha256Base64url(body['container'] as string)).toBe(known.containerHash);
    });

    it.each(['lockedPhone', 'revokedPhone', 'erasedPhone'] as const)('refuses what it refused before: %s', async (name) => {
      const sessionId = await service.login(known.credentials);
      const phone = service.restore(known[name]);
      const scanned = await phone.scan(sessionId);
      expect(scanned.ok && (await phone.confirm(PIN)).ok).toBe(false);
    });

    it('has freed the personal code of an erased person, and no other', async () => {
      expect(await service.person(known.erasedPersonalCode)).toBeDefined();
      expect(await service.person('48001010001')).toBeUndefined();
    });

    it('still shows the client, its endpoint and the deliveries', async () => {
      expect((await service.admin('GET', `/clients/${known.clientId}`)).body).toMatchObject({ name: 'Corner shop' });
      const { body } = await service.admin('GET', `/clients/${known.clientId}/webhook-endpoints/${known.endpointId}/deliveries`);
      expect(body['deliveries']).not.toEqual([]);
    });

    it('holds events of every declared type that has no golden fixture', async () => {
      // Only separate services have a relay.
      const types = STREAMS.filter(({ terms }) => terms.owner !== 'apps/event-relay').flatMap(({ terms }) => [...terms.events.types]);
      const golden = await Promise.all(
        globSync('{apps/*,libs/*,libs/*/*}/src/**/*.v[0-9]*.json', { cwd: ROOT }).map((path) => readFile(join(ROOT, path), 'utf8')),
      );
      const isGolden = (type: string): boolean => golden.some((text) => text.includes(`"${type}"`));
      expect(types.length).toBeGreaterThan(40);
      // The service ends old deliveries while it runs.
      let missing: readonly string[] = [];
      const storesAll = async (): Promise<boolean> => {
        const stored = await typesIn(service.standalone.platform.eventStore);
        missing = types.filter((type) => !stored.has(type) && !isGolden(type));
        return missing.length === 0;
      };
      await eventually(storesAll, { what: () => `no event is stored of ${missing.join(', ')}` });
    });

    it('holds each event in the streams that declare it, and sealed values in those alone that declare them', async () => {
      const events = await eventsIn(service.standalone.platform.eventStore);
      const declarationOf = ({ stream }: RecordedEvent) => STREAMS.find(({ category }) => category === categoryOf(stream))?.terms;
      const foreign = events.filter((event) => !declarationOf(event)?.events.types.has(event.type));
      expect(foreign.map(({ stream, type }) => `${stream} ${type}`)).toEqual([]);
      const sealed = new Set(events.filter(({ data }) => SEALED.test(JSON.stringify(data))).map(({ stream }) => categoryOf(stream)));
      expect([...sealed].filter((category) => !STREAMS.find((streams) => streams.category === category)?.terms.sealed)).toEqual([]);
      expect([...sealed]).toEqual(expect.arrayContaining(['session', 'client', 'identitydata', 'result']));
    });

    it('holds nothing in clear that a person is called, a phone is called, or a client has asked with, in the events of any stream', async () => {
      const events = await eventsIn(service.standalone.platform.eventStore);
      const found = (text: string) =>
        events.filter(({ data }) => JSON.stringify(data).includes(text)).map(({ stream, type }) => `${categoryOf(stream)} ${type}`);
      for (const text of [
        'Mari',
        'Maasikas',
        '48001010001',
        '38001010002',
        '1980-01-01',
        'Lost phone',
        'Locked phone',
        'contract.txt',
        'The contract',
        '0a0a0a',
      ])
        expect([text, [...new Set(found(text))]]).toEqual([text, []]);
      // As it would find them.
      expect(found('Shop')).not.toEqual([]);
    });
  },
);

/** Every stored event. */
const eventsIn = async (eventStore: EventStore): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  const categories = STREAMS.map(({ category }) => category);
  for await (const item of eventStore.subscribe({ categories, signal: AbortSignal.timeout(60_000) })) {
    if (item === 'caught-up') break;
    events.push(item);
  }
  return events;
};

const typesIn = async (eventStore: EventStore): Promise<ReadonlySet<string>> => new Set((await eventsIn(eventStore)).map(({ type }) => type));
