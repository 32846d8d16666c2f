import type { Transaction } from 'kysely';

import type { RecordedEvent } from '#engines/event-store';
import { idOf } from '#engines/event-store';
import type { ClientId, SessionId } from '#kernel';
import { insertNew, type Projection } from '#engines/read-model';

import type { PersonHash, PersonHashes } from '../domain/person-hashes.js';
import type { SessionCreated, SessionEvent, SessionScanned } from '../domain/session.events.js';
import { SESSIONS } from '../streams.js';

export interface PersonSessionTables {
  /** One row for each person whom a stored session concerns. */
  person_sessions_v1: {
    /** Of the identity that scanned the session, or of the subjectId that the session was meant for. */
    person: PersonHash;
    session_id: SessionId;
    /** The position of the event that names the person. */
    place: number;
  };
  /** The clients that have ever begun a session for a subjectId. */
  person_session_clients_v1: { client_id: ClientId };
}

/** Milliseconds. No request waits for these rows. */
const LINGER = 200;

/**
 * Sessions by person, for erasures. It follows the store and not the bus, because published events name no person. Rows hold keyed hashes and random ids.
 */
export const personSessionsProjection = (hashes: PersonHashes): Projection<PersonSessionTables, SessionEvent> => ({
  name: 'person-sessions',
  version: 1,
  tables: ['person_sessions_v1', 'person_session_clients_v1'],
  categories: [SESSIONS.category],
  linger: LINGER,
  concerns: (event) => isScan(event) || isMeantForPerson(event),

  async create({ schema }) {
    await schema
      .createTable('person_sessions_v1')
      .addColumn('person', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('person_sessions_v1_key', ['person', 'session_id'])
      .execute();
    await schema.createIndex('person_sessions_v1_place').on('person_sessions_v1').column('place').execute();
    await schema
      .createTable('person_session_clients_v1')
      .addColumn('client_id', 'text', (column) => column.primaryKey())
      .execute();
  },

  apply: (transaction, event) => applyAll(transaction, [event], hashes),
  applyAll: (transaction, events) => applyAll(transaction, events, hashes),
});

/** At most one statement for each table, whatever the number of events. */
const applyAll = async (
  transaction: Transaction<PersonSessionTables>,
  events: readonly RecordedEvent<SessionEvent>[],
  hashes: PersonHashes,
): Promise<void> => {
  const meant = events.filter(isMeantForPerson);
  const rowOf = (person: PersonHash, event: RecordedEvent) => ({ person, session_id: idOf<SessionId>(event.stream), place: Number(event.position) });
  const rows = [
    ...events.filter(isScan).map((event) => rowOf(hashes.ofIdentity(event.data.identityId), event)),
    ...meant.map((event) => rowOf(hashes.ofSubject(event.data.subjectId), event)),
  ];
  if (rows.length > 0) await insertNew(transaction, 'person_sessions_v1', rows);
  const clients = [...new Set(meant.map(({ data }) => data.clientId))].map((client_id) => ({ client_id }));
  if (clients.length > 0) await insertNew(transaction, 'person_session_clients_v1', clients);
};

// Of later versions of these events too: a release that adds a person elsewhere in them makes a new version of the tables.
const isScan = (event: RecordedEvent): event is RecordedEvent<SessionScanned> => event.type === 'SessionScanned';

type MeantForPerson = SessionCreated & { readonly data: Required<Pick<SessionCreated['data'], 'subjectId'>> };

const isMeantForPerson = (event: RecordedEvent): event is RecordedEvent<MeantForPerson> =>
  event.type === 'SessionCreated' && (event.data as SessionCreated['data']).subjectId !== undefined;
