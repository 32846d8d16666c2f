import type { Position } from '#engines/event-store';
import type { ClientId, IdentityId, SessionId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import type { PersonHash, PersonHashes } from '../domain/person-hashes.js';
import type { PersonSessionTables } from './person-sessions-projection.js';

/** A session and a person whom it concerns. */
export type PersonSession = Pick<PersonSessionTables['person_sessions_v1'], 'person' | 'session_id'>;

/** Rows of one statement, and clients whose names for a person are looked for at once. */
const PAGE = 500;
/** The scans of a person in the last minutes are few. */
const NEWEST = 20;

/** The stored sessions of persons. Every method throws ReadModelsUnavailable while the database cannot be reached. */
export class PersonSessions {
  constructor(
    private readonly model: ReadModel<PersonSessionTables>,
    private readonly hashes: PersonHashes,
  ) {}

  /** Waits until the tables show every session that is stored now. */
  current(): Promise<void> {
    return this.model.current();
  }

  /**
   * The sessions that the person has scanned, and those that were meant for the person, page by page. The cost grows with these, and with the number of
   * clients that begin sessions for subjectIds. Throws ReadModelsUnavailable while the tables are being built, too.
   */
  async *of(identityId: IdentityId): AsyncGenerator<readonly PersonSession[], void, void> {
    for await (const persons of this.#namesOf(identityId)) {
      for (let last: PersonSession | undefined; ;) {
        const rows = await this.#rows(persons, last);
        if (rows.length > 0) yield rows;
        last = rows.at(-1);
        if (rows.length < PAGE) break;
      }
    }
  }

  /** The sessions that the person has scanned, the newest scan first, page by page. Throws ReadModelsUnavailable while the tables are being built, too. */
  async *newestScans(identityId: IdentityId): AsyncGenerator<readonly SessionId[], void, void> {
    const person = this.hashes.ofIdentity(identityId);
    for (let before: number | undefined; ;) {
      const rows = await this.model.read((database) => {
        const scans = database.selectFrom('person_sessions_v1').select(['session_id', 'place']).where('person', '=', person);
        return (before === undefined ? scans : scans.where('place', '<', before)).orderBy('place', 'desc').limit(NEWEST).execute();
      });
      if (rows.length > 0) yield rows.map(({ session_id }) => session_id);
      if (rows.length < NEWEST) return;
      before = Number(rows.at(-1)?.place);
    }
  }

  /** Removes rows of one person, whose sessions are erased. */
  async remove(rows: readonly PersonSession[]): Promise<void> {
    if (rows.length === 0) return;
    const [persons, sessions] = [[...new Set(rows.map(({ person }) => person))], rows.map(({ session_id }) => session_id)];
    await this.model.remove((database) =>
      database.deleteFrom('person_sessions_v1').where('person', 'in', persons).where('session_id', 'in', sessions).execute(),
    );
  }

  /** Removes the rows of events up to this position, at most {@link PAGE}. Answers whether more are left. */
  forget(upTo: Position): Promise<boolean> {
    return this.model.rows(async (database) => {
      const page = await database
        .selectFrom('person_sessions_v1')
        .select('place')
        .where('place', '<=', Number(upTo))
        .orderBy('place')
        .limit(PAGE)
        .execute();
      const last = page.at(-1);
      if (last) await database.deleteFrom('person_sessions_v1').where('place', '<=', last.place).execute();
      return page.length === PAGE;
    });
  }

  async *#namesOf(identityId: IdentityId): AsyncGenerator<readonly PersonHash[], void, void> {
    yield [this.hashes.ofIdentity(identityId)];
    for (let last: ClientId | undefined; ;) {
      const clients = await this.#clients(last);
      if (clients.length > 0) yield clients.flatMap((clientId) => this.hashes.ofClientsSubjects(clientId, identityId));
      last = clients.at(-1);
      if (clients.length < PAGE) return;
    }
  }

  #rows(persons: readonly PersonHash[], last: PersonSession | undefined): Promise<readonly PersonSession[]> {
    return this.model.read((database) => {
      let rows = database.selectFrom('person_sessions_v1').select(['person', 'session_id']).where('person', 'in', persons);
      if (last) rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('person', 'session_id'), '>', tuple(last.person, last.session_id)));
      return rows.orderBy('person').orderBy('session_id').limit(PAGE).execute();
    });
  }

  async #clients(after: ClientId | undefined): Promise<readonly ClientId[]> {
    const rows = await this.model.read((database) => {
      const clients = database.selectFrom('person_session_clients_v1').select('client_id');
      return (after === undefined ? clients : clients.where('client_id', '>', after)).orderBy('client_id').limit(PAGE).execute();
    });
    return rows.map(({ client_id }) => client_id);
  }
}
