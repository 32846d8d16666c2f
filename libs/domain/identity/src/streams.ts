import { type ClientId, type DeviceId, type DomainEvent, type IdentityId, knownEvents, type SessionId, type SubjectId } from '#kernel';
import { DeclaredStreams, type StreamName } from '#engines/event-store';

import { DEVICE_EVENTS } from './domain/device.events.js';
import { IDENTITY_EVENTS } from './domain/identity.events.js';
import type { PersonLimits } from './domain/person-limits.js';

const owner = 'libs/domain/identity';

/** A person without personal data: `identity-<identityId>`. */
export const IDENTITIES = new DeclaredStreams({
  category: 'identity',
  owner,
  ids: ['<identityId>'],
  events: IDENTITY_EVENTS,
  queue: 3,
  sealed: false,
  guarded: [...IDENTITY_EVENTS.types],
});
export const identityStream = (identityId: IdentityId): StreamName => IDENTITIES.of(identityId);

/** The personal data, sealed. */
export type PersonRecorded = DomainEvent<'PersonRecorded', { readonly at: number; readonly sealed: string }>;

export const PERSONAL_DATA = new DeclaredStreams({
  category: 'identitydata',
  owner,
  ids: ['<identityId>'],
  events: knownEvents<PersonRecorded>(1, { PersonRecorded: true }),
  retention: { maxCount: 1, tombstoned: 'by the erasure of the person' },
  sealed: true,
  guarded: [],
});
export const personalDataStream = (identityId: IdentityId): StreamName => PERSONAL_DATA.of(identityId);

/** The events of the stream `person-<keyed hash of country and personal code>`. */
export type PersonEvent =
  | DomainEvent<'PersonReserved', { readonly at: number; readonly identityId: IdentityId }>
  /** The person was erased and may register again. Without content: it stays when the store reclaims space. */
  | DomainEvent<'PersonReleased', Readonly<Record<string, never>>>;

export const PERSONS = new DeclaredStreams({
  category: 'person',
  owner,
  ids: ['<keyed hash>'],
  events: knownEvents<PersonEvent>(1, { PersonReserved: true, PersonReleased: true }),
  retention: { truncatedBefore: ['PersonReleased'] },
  sealed: false,
  guarded: [],
});

/** The events of a login are truncated before the event that takes up their state: the stream does not grow with logins. */
export const DEVICES = new DeclaredStreams({
  category: 'device',
  owner,
  ids: ['<deviceId>'],
  events: DEVICE_EVENTS,
  retention: { truncatedBefore: ['DeviceCompacted'], tombstoned: 'by the erasure of the person' },
  queue: 2,
  sealed: false,
  guarded: ['DeviceEnrolled', 'DeviceLocked', 'DeviceRevoked'],
});
export const deviceStream = (deviceId: DeviceId): StreamName => DEVICES.of(deviceId);

/** Times in epoch milliseconds. */
export type HeldCertificate = { readonly at: number; readonly deviceId: DeviceId; readonly notAfter: number };

/** The events of the stream `certificate-<serial>`. */
export type CertificateEvent =
  | DomainEvent<'CertificateIssued', HeldCertificate>
  /** The person was erased: the revocation outlives the device. Holds nothing but times. `notAfter` is absent where no end was recorded. */
  | DomainEvent<'CertificateRevoked', { readonly at: number; readonly notAfter?: number }>;

export const CERTIFICATES = new DeclaredStreams({
  category: 'certificate',
  owner,
  ids: ['<serial>'],
  events: knownEvents<CertificateEvent>(1, { CertificateIssued: true, CertificateRevoked: true }),
  retention: {
    /** To the end of a revoked certificate, at least a second. Both times in epoch milliseconds. */
    maxAge: ({ notAfter, now }: { readonly notAfter: number; readonly now: number }) => Math.max(1, Math.ceil((notAfter - now) / 1_000)),
    truncatedBefore: ['CertificateRevoked'],
    tombstoned: 'at the end of the certificate',
  },
  sealed: false,
  guarded: [],
});
/** `serial` in lower-case hex. */
export const certificateStream = (serial: string): StreamName => CERTIFICATES.of(serial);

export type SubjectLink = { readonly at: number; readonly clientId: ClientId; readonly identityId: IdentityId };

/** The events of the stream `subject-<subjectId>`. */
export type SubjectEvent =
  | DomainEvent<'SubjectLinked', SubjectLink>
  /** The person was erased. Without content: it stays when the store reclaims space. */
  | DomainEvent<'SubjectReleased', Readonly<Record<string, never>>>;

export const SUBJECTS = new DeclaredStreams({
  category: 'subject',
  owner,
  ids: ['<subjectId>'],
  events: knownEvents<SubjectEvent>(1, { SubjectLinked: true, SubjectReleased: true }),
  retention: { truncatedBefore: ['SubjectReleased'] },
  sealed: false,
  guarded: [],
});
export const subjectStream = (subjectId: SubjectId): StreamName => SUBJECTS.of(subjectId);

/** Times in epoch milliseconds. */
export type PushedSession = {
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
  readonly expiresAt: number;
  readonly at: number;
  /** It wakes no phone: the person has got more requests than the limit of all clients together. */
  readonly quiet?: true;
};

/** The event of the stream `inbox-<identityId>`. */
export type SessionPushed = DomainEvent<'SessionPushed', PushedSession>;

export const INBOXES = new DeclaredStreams({
  category: 'inbox',
  owner,
  ids: ['<identityId>'],
  events: knownEvents<SessionPushed>(1, { SessionPushed: true }),
  retention: {
    /** As long as the longest life of its sessions. Each in seconds. */
    maxAge: (lives: readonly number[]) => Math.max(...lives),
    tombstoned: 'by the erasure of the person',
  },
  sealed: false,
  guarded: [],
});
export const inboxStream = (identityId: IdentityId): StreamName => INBOXES.of(identityId);

/** Whom the person has blocked and declined, and where the person has just asked for a log-out. Each event holds all of it, so the stream does not grow with what the person does. */
export type PersonLimitsKept = DomainEvent<'PersonLimitsKept', { readonly at: number } & PersonLimits>;

export const PERSON_LIMITS = new DeclaredStreams({
  category: 'personlimits',
  owner,
  ids: ['<identityId>'],
  events: knownEvents<PersonLimitsKept>(1, { PersonLimitsKept: true }),
  retention: { maxCount: 1, tombstoned: 'by the erasure of the person' },
  sealed: false,
  guarded: [],
});
export const personLimitsStream = (identityId: IdentityId): StreamName => PERSON_LIMITS.of(identityId);

export const IDENTITY_STREAMS = [IDENTITIES, PERSONAL_DATA, PERSONS, DEVICES, CERTIFICATES, SUBJECTS, INBOXES, PERSON_LIMITS];
