import { expect } from '@jest/globals';

import { idOf, type StreamName } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';

import { type Person, type Phone, RelyingParty, SecretSearch, type Service, type Signing, SigningClient, Staff } from '../../support/index.js';
import { pieces, type StoredData, type StoredEvent } from './stored-data.js';

/** Bytes on disk: the ciphertext of a sealed event, all of the data of another one. */
export const needlesOf = (events: readonly StoredEvent[]): string[] =>
  events.flatMap(({ data }) => {
    const { sealed } = JSON.parse(data) as { sealed?: string };
    return sealed === undefined ? [data] : pieces(sealed);
  });

/** A person who has used everything: registered, enrolled a phone, signed, logged in, was pushed a session, and scanned another person's session. */
export interface UsedPerson {
  readonly person: Person;
  readonly phone: Phone;
  readonly signing: Signing;
  readonly subjectId: string;
  readonly deviceId: string;
  /** The streams that hold anything of the person, but those that stay: see {@link staysOf}. */
  readonly streams: readonly string[];
  /** Bytes of those streams. */
  readonly needles: readonly string[];
}

/** The streams that an erasure leaves: the identity's own and the audit trail hold random ids and times alone. */
const staysOf = ({ identityId }: Person): readonly string[] => [`identity-${identityId}`, 'audit-log'];

/** Lets a new person use everything, and collects the bytes that the files hold of it. */
export const useEverything = async (service: Service, disk: StoredData): Promise<UsedPerson> => {
  const staff = new Staff(service);
  const signingClient = await SigningClient.register(service);
  const shop = await RelyingParty.register(service);
  const person = await staff.registerPerson();
  const asRegistered = disk.events(`identitydata-${person.identityId}`);
  const phone = await staff.phoneOf(person);
  const signing = await signingClient.completed(phone);
  const subjectId = await shop.subjectOf(phone);
  expect((await shop.login({ push: true, subject_id: subjectId })).pushStatus).toBe('DISPATCHED');
  const ofNeighbour = await shop.login({ subject_id: await shop.subjectOf(await staff.newPhone()) });
  expect((await phone.scan(ofNeighbour.sessionId)).status).toBe(403);

  const all = disk.events('%').filter(({ stream }) => !stream.startsWith('$'));
  const [device] = all.filter(({ stream, data }) => stream.startsWith('device-') && data.includes(person.identityId));
  const deviceId = idOf(device!.stream as StreamName);
  const ids = [person.identityId, deviceId, subjectId];
  const ofPerson = all.filter(
    ({ stream, data }) => ids.some((id) => stream.includes(id) || data.includes(id)) || stream === `result-${signing.sessionId}`,
  );
  const streams = [...new Set(ofPerson.map(({ stream }) => stream))].filter((stream) => !staysOf(person).includes(stream));
  expect(disk.events(`session-${ofNeighbour.sessionId}`).map(({ type }) => type)).toEqual(['SessionCreated', 'ScanRefused']);
  const categories = streams.map((stream) => stream.slice(0, stream.indexOf('-')));
  expect(new Set(categories)).toEqual(
    new Set(['identitydata', 'person', 'device', 'certificate', 'signinglog', 'subject', 'inbox', 'session', 'result']),
  );
  expect(categories.filter((category) => category === 'session')).toHaveLength(3);
  const needles = needlesOf([...asRegistered, ...all.filter(({ stream }) => streams.includes(stream))]);
  return { person, phone, signing, subjectId, deviceId, streams, needles };
};

/** Streams whose decrypted content identifies the person. */
export const streamsNaming = ({ given_name, family_name, personal_code, email, phone_number }: Person, disk: StoredData): string[] => {
  const search = new SecretSearch(
    [given_name, family_name, personal_code, email!, phone_number!].map((value) => ({ kind: 'personal datum', value })),
  );
  const sealed = disk.events('%').filter(({ data }) => data.includes('"sealed":'));
  expect(sealed.length).toBeGreaterThan(5);
  const naming = sealed.filter((event) => search.in(Buffer.from(JSON.stringify(disk.opened(event)))).length > 0);
  return [...new Set(naming.map(({ stream }) => stream))];
};

/** The events that hold an id of the person, outside of the streams that stay: none leads from one to another once they are gone. */
export const eventsLeadingTo = ({ person, subjectId, deviceId }: UsedPerson, disk: StoredData): string[] =>
  disk
    .events('%')
    .filter(({ stream, data }) => !staysOf(person).includes(stream) && [person.identityId, subjectId, deviceId].some((id) => data.includes(id)))
    .map(({ stream, type }) => `${stream} ${type}`);

/** Waits until the stream's last event has the type, at most 30 seconds. */
export const untilLast = async (disk: StoredData, stream: string, type: string): Promise<void> =>
  eventually(() => disk.events(stream).at(-1)?.type === type, { what: `${stream} ends with ${type}`, within: 30_000 });
