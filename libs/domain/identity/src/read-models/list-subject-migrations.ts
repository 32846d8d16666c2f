import { type ClientId, epochSeconds, inParallel, type PageRequest, type SubjectId } from '#kernel';
import { keysetPage, type Projections, type ReadModel } from '#engines/read-model';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { SubjectIds } from '../domain/subject-ids.js';
import type { LinkSubject } from '../use-cases/link-subject.js';
import { type SubjectLinkTables, subjectLinksProjection } from './subject-links-projection.js';

type Link = SubjectLinkTables['subject_links_v1'];

export interface SubjectMigrations {
  /** From then on logins answer the new values. Epoch milliseconds; absent, like `endsAt`, where no accounts have to be migrated. */
  readonly changesAt?: number;
  /** Until then the former values are accepted. */
  readonly endsAt?: number;
  /** In the order in which the client learned the former values. */
  readonly subjects: readonly { readonly former: SubjectId; readonly next: SubjectId }[];
  /** The `after` of the next page; absent on the last page. */
  readonly next?: SubjectId;
}

/** A page as `/relying-party/v1` and `/admin/v1` answer it. */
export interface ShownMigrations {
  /** From then on logins answer the new values. Epoch seconds. Absent, like endsAt, while no accounts have to be migrated. */
  readonly changesAt?: number;
  /** Until then the former values are accepted. Epoch seconds. */
  readonly endsAt?: number;
  readonly subjects: readonly { readonly formerSubjectId: string; readonly subjectId: string }[];
  /**
   * The value of `after` that returns the next page. Absent on the last page.
   *
   * @format uuid
   */
  readonly next?: string;
}

export const shownMigrations = ({ changesAt, endsAt, subjects, ...next }: SubjectMigrations): ShownMigrations => ({
  ...(changesAt !== undefined && { changesAt: epochSeconds(changesAt) }),
  ...(endsAt !== undefined && { endsAt: epochSeconds(endsAt) }),
  subjects: subjects.map((pair) => ({ formerSubjectId: pair.former, subjectId: pair.next })),
  ...next,
});

/** Links of one page that are stored at once. */
const PARALLEL = 16;

/** The former and the new subjectId of each person that a client knows (specification/relying-party.md#get-subject-migrations). */
export class ListSubjectMigrations {
  constructor(
    private readonly projections: Projections,
    private readonly subjectIds: SubjectIds,
    private readonly linkSubject: LinkSubject,
  ) {}

  /**
   * One page. The client may use each new value once this answers. May be repeated. Throws InvalidRequest for a cursor that is none of this client's former
   * values, and ReadModelsUnavailable, also while the tables of the first call are being built.
   */
  async execute(clientId: ClientId, request: PageRequest<SubjectId>): Promise<SubjectMigrations> {
    const migration = this.subjectIds.migration();
    if (!migration) return { subjects: [] };
    const model = this.projections.follow(subjectLinksProjection);
    await model.current();
    const { entries, ...next } = await this.#page(model, clientId, request);
    const pairs = entries.flatMap((link) => {
      const pair = this.subjectIds.pair(clientId, link.identity_id);
      // The others are new values themselves, or those of a rotation before.
      return pair?.former === link.subject_id ? [{ link, pair }] : [];
    });
    const linked = await this.#linked(
      model,
      pairs.map(({ pair }) => pair.next),
    );
    const gone = new Set<SubjectId>();
    await inParallel(
      pairs.filter(({ pair }) => !linked.has(pair.next)),
      PARALLEL,
      ({ link, pair }) => this.linkSubject.execute(clientId, link.identity_id, pair.next).catch(ifErased(() => gone.add(pair.next))),
    );
    const { changesAt, endsAt } = migration;
    return { changesAt, endsAt, subjects: pairs.map(({ pair }) => pair).filter((pair) => !gone.has(pair.next)), ...next };
  }

  #page(model: ReadModel<SubjectLinkTables>, clientId: ClientId, request: PageRequest<SubjectId>) {
    return model.read((database) => {
      const links = database.selectFrom('subject_links_v1').where('client_id', '=', clientId);
      return keysetPage<Link, Link, SubjectId>(request, {
        placeOf: (subjectId) => links.select('place').where('subject_id', '=', subjectId).executeTakeFirst(),
        rows: (after, limit) => links.selectAll().where('place', '>', after).orderBy('place').limit(limit).execute(),
        idOf: (link) => link.subject_id,
        entryOf: (link) => link,
      });
    });
  }

  async #linked(model: ReadModel<SubjectLinkTables>, subjectIds: readonly SubjectId[]): Promise<ReadonlySet<SubjectId>> {
    if (subjectIds.length === 0) return new Set();
    const rows = await model.read((database) =>
      database.selectFrom('subject_links_v1').select('subject_id').where('subject_id', 'in', subjectIds).execute(),
    );
    return new Set(rows.map(({ subject_id }) => subject_id));
  }
}

const ifErased =
  (note: () => unknown) =>
  (error: unknown): void => {
    if (!(error instanceof IdentityNotFound)) throw error;
    note();
  };
