import { readFile } from 'node:fs/promises';

import { type DomainEvent, type IdentityId, Secret, type SubjectId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';
import { history, NO_STREAM, SqliteEventStore, type StreamName, streamName, UnitOfWork } from '#engines/event-store';

import { SubjectIds } from '../domain/subject-ids.js';
import { MARI } from '#testkit/identity/identity-fixture';
import type { CertificateEvent } from '../streams.js';
import { Certificates, endOfRevocation } from './certificates.js';
import { PersonReservations } from './person-reservations.js';
import { SubjectLinks } from './subject-links.js';

/** Stored events are read for ever: never change these files, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('reservations.v1.json', import.meta.url), 'utf8')) as Record<string, DomainEvent[]>;
const GOLDEN_CERTIFICATES = JSON.parse(await readFile(new URL('certificates.v2.json', import.meta.url), 'utf8')) as {
  certificate: CertificateEvent[];
};
const NEW = '55555555-5555-4555-8555-555555555555' as IdentityId;

let clock: FixedClock;
let store: SqliteEventStore;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
});
afterEach(() => store.close());

/** Stores the first events of a fixture. */
const given = (stream: StreamName, category: string, count: number) => store.append(stream, NO_STREAM, GOLDEN[category]!.slice(0, count));

describe('the stored events of a person', () => {
  const reservations = () => new PersonReservations(new UnitOfWork(store, clock), new Secret(Buffer.alloc(32, 1)));
  const stream = async (): Promise<StreamName> => {
    for await (const event of history(store, ['person'])) return event.stream;
    throw new Error('no person is reserved');
  };
  /** The stream of the person, with these events of the fixture after a release. */
  const begun = async (events: readonly DomainEvent[]): Promise<void> => {
    await reservations().reserve(MARI, NEW);
    await reservations().release(MARI, NEW);
    await store.append(await stream(), 1, events);
  };

  it('reserve the person', async () => {
    await begun(GOLDEN['person']!.slice(0, 1));
    expect(await reservations().reserve(MARI, NEW)).toBe('11111111-1111-4111-8111-111111111111');
  });

  it('release the person', async () => {
    await begun(GOLDEN['person']!.slice(0, 2));
    expect(await reservations().reserve(MARI, NEW)).toBe(NEW);
  });

  it('reserve the person again', async () => {
    await begun(GOLDEN['person']!);
    expect(await reservations().reserve(MARI, NEW)).toBe('22222222-2222-4222-8222-222222222222');
  });
});

describe('the stored events of a subjectId', () => {
  const subjectId = 'c7e2a5a0-0000-8000-8000-000000000000' as SubjectId;
  const find = () =>
    new SubjectLinks(
      new UnitOfWork(store, clock),
      new SubjectIds(new OneSubjectKey({ id: 'one', key: new Secret(Buffer.alloc(32, 1)) }), 'test'),
    ).find(subjectId);

  it('link it', async () => {
    await given(streamName('subject', subjectId), 'subject', 1);
    expect(await find()).toEqual(GOLDEN['subject']![0]!.data);
  });

  it('release it', async () => {
    await given(streamName('subject', subjectId), 'subject', 2);
    expect(await find()).toBeUndefined();
  });
});

describe('the stored events of a certificate', () => {
  const certificates = () => new Certificates(new UnitOfWork(store, clock));

  it('issue it', async () => {
    await given(streamName('certificate', 'aa'), 'certificate', 1);
    expect(await certificates().find('aa')).toMatchObject(GOLDEN['certificate']![0]!);
  });

  it('revoke it, with its end', async () => {
    await store.append(streamName('certificate', 'cc'), NO_STREAM, GOLDEN_CERTIFICATES.certificate);
    expect(await certificates().find('cc')).toMatchObject(GOLDEN_CERTIFICATES.certificate[1]!);
  });

  it('revoke it', async () => {
    await given(streamName('certificate', 'aa'), 'certificate', 2);
    expect(await certificates().find('aa')).toMatchObject(GOLDEN['certificate']![1]!);
  });
});

describe('the end of a revocation', () => {
  const endOf = (event: DomainEvent): number => endOfRevocation(event.data as { at: number });

  it('is the end of the certificate', () => {
    expect(endOf(GOLDEN_CERTIFICATES.certificate[1]!)).toBe(1830297600000);
  });

  it('comes no earlier than that of any certificate, where none is recorded', () => {
    const at = (GOLDEN['certificate']![1]!.data as { at: number }).at;
    expect(endOf(GOLDEN['certificate']![1]!) - at).toBeGreaterThan(10 * 365.25 * 86_400_000);
  });
});

describe('a revocation', () => {
  const notAfter = (GOLDEN['certificate']![0]!.data as { notAfter: number }).notAfter;
  const serial = 'bb';
  const stored = () => store.read(streamName('certificate', serial));

  it('outlives the device until the end of the certificate', async () => {
    await given(streamName('certificate', serial), 'certificate', 1);
    await new Certificates(new UnitOfWork(store, clock)).revoke(serial, 7);
    expect((await stored()).map(({ type, data }) => [type, data])).toEqual([['CertificateRevoked', { at: 7, notAfter }]]);
    clock.advance(notAfter - clock.now() - 1);
    expect(await stored()).toHaveLength(1);
    clock.advance(1);
    expect(await stored()).toEqual([]);
  });

  it('is repeated without effect, and finishes the steps that a crash left out', async () => {
    await given(streamName('certificate', serial), 'certificate', 2);
    expect(await stored()).toHaveLength(2);
    await new Certificates(new UnitOfWork(store, clock)).revoke(serial, 9);
    await new Certificates(new UnitOfWork(store, clock)).revoke(serial, 10);
    expect(await stored()).toMatchObject([{ type: 'CertificateRevoked', data: GOLDEN['certificate']![1]!.data }]);
  });

  it('keeps its age when it is repeated later', async () => {
    await given(streamName('certificate', serial), 'certificate', 1);
    await new Certificates(new UnitOfWork(store, clock)).revoke(serial, 7);
    clock.advance((notAfter - clock.now()) / 2);
    await new Certificates(new UnitOfWork(store, clock)).revoke(serial, 7);
    clock.advance(notAfter - clock.now() - 1);
    expect(await stored()).toHaveLength(1);
  });

  it('closes the stream at its end, also twice, and is then repeated without effect', async () => {
    await given(streamName('certificate', serial), 'certificate', 1);
    const certificates = new Certificates(new UnitOfWork(store, clock));
    await certificates.revoke(serial, 7);
    for (let time = 0; time < 2; time++) await certificates.close(serial);
    await certificates.revoke(serial, 7);
    expect(await stored()).toEqual([]);
    await expect(store.append(streamName('certificate', serial), 1, GOLDEN['certificate']!)).rejects.toThrow('tombstoned');
  });

  it('refuses an enrolment that comes after it', async () => {
    const certificates = new Certificates(new UnitOfWork(store, clock));
    await certificates.revoke(serial, 7);
    expect(await certificates.issue(serial, { at: 1, deviceId: 'd' as never, notAfter })).toBe(false);
    expect((await stored()).map(({ type }) => type)).toEqual(['CertificateRevoked']);
  });
});
