import { type IdentityId, type Page, type PageRequest, PagedList } from '#kernel';
import { type EventStore, idOf, Projection, type RecordedEvent } from '#event-store';

import type { PersonalData } from '../domain/personal-data.js';
import type { ReadPersonalData } from '../use-cases/read-personal-data.js';

export type ListedIdentity = PersonalData & { readonly identityId: IdentityId };

/** All persons in the order of their registration. Only ids are held in memory; the data is read for each page. */
export class ListIdentities {
  readonly #identities = new PagedList<IdentityId, IdentityId>();
  readonly #projection: Projection;

  constructor(
    store: EventStore,
    private readonly readPersonalData: ReadPersonalData,
    stopping: AbortSignal,
  ) {
    this.#projection = new Projection(store, ['identity'], (event) => this.#apply(event), stopping);
  }

  /** Resolves when the list is complete: for the readiness probe. */
  get ready(): Promise<void> {
    return this.#projection.ready;
  }

  async execute(request: PageRequest<IdentityId>): Promise<Page<ListedIdentity, IdentityId>> {
    const { entries, ...next } = this.#identities.page(request);
    const identities = await Promise.all(
      entries.map(async (identityId) => {
        const person = await this.readPersonalData.execute(identityId);
        return person ? [{ identityId, ...person }] : [];
      }),
    );
    return { entries: identities.flat(), ...next };
  }

  #apply({ type, stream }: RecordedEvent): void {
    const identityId = idOf<IdentityId>(stream);
    if (type === 'IdentityRegistered') this.#identities.set(identityId, identityId);
    if (type === 'IdentityErased') this.#identities.remove(identityId);
  }
}
