import { setImmediate } from 'node:timers/promises';

import type { NotNull } from 'kysely';
import { LRUCache } from 'lru-cache';

import type { ClientId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import { type Closeness, closenessOf } from '../domain/name/closeness.js';
import { type NameForm, nameFormOf } from '../domain/name/name-form.js';
import type { OwnClient } from '../domain/own-client.js';
import { type ClientTables, termsOf } from './clients-projection.js';

/** A client whose name may pass for another one. */
export interface CloseName extends Closeness {
  readonly clientId: ClientId;
  readonly name: string;
}

/** Names that are shown. */
const SHOWN = 5;
/** Rows of one read. Other requests are answered between two reads. */
const ROWS = 500;
/** Forms of names that are kept: those of all clients of most installations. */
const KEPT = 20_000;

/** The registered names that are closest to a wanted one, for the person who decides on it (specification/admin.md#names-of-clients). */
export class FindCloseNames {
  readonly #forms = new LRUCache<string, NameForm>({ max: KEPT });

  constructor(
    private readonly model: ReadModel<ClientTables>,
    private readonly own: OwnClient,
  ) {}

  /**
   * At most five, the closest first; the name of the service's own client is one of those that are compared. `except`: the client that wants the name. A client that another process has registered appears with a
   * short delay. Throws {@link ReadModelsUnavailable}.
   */
  async execute(wanted: string, except?: ClientId): Promise<readonly CloseName[]> {
    const form = nameFormOf(wanted);
    let found = this.#closest(form, [{ clientId: this.own.clientId, name: this.own.name }]);
    let rows = await this.#rowsAfter(-1);
    while (rows.length > 0) {
      const others = rows.map(({ client_id: clientId, terms }) => ({ clientId, name: termsOf(terms).name }));
      const compared = others.filter(({ clientId }) => clientId !== except && clientId !== this.own.clientId);
      found = [...found, ...this.#closest(form, compared)].sort((one, other) => other.closeness - one.closeness).slice(0, SHOWN);
      const last = rows.at(-1);
      if (rows.length < ROWS || !last) break;
      await setImmediate();
      rows = await this.#rowsAfter(last.place);
    }
    return found;
  }

  #closest(form: NameForm, names: readonly { readonly clientId: ClientId; readonly name: string }[]): readonly CloseName[] {
    return names.flatMap(({ clientId, name }) => {
      const closeness = closenessOf(form, this.#formOf(name));
      return closeness ? [{ clientId, name, ...closeness }] : [];
    });
  }

  #formOf(name: string): NameForm {
    const known = this.#forms.get(name);
    if (known) return known;
    const form = nameFormOf(name);
    this.#forms.set(name, form);
    return form;
  }

  #rowsAfter(place: number) {
    return this.model.read((database) =>
      database
        .selectFrom('clients_v3')
        .select(['client_id', 'place', 'terms'])
        .where('place', '>', place)
        .where('terms', 'is not', null)
        .orderBy('place')
        .limit(ROWS)
        .$narrowType<{ terms: NotNull }>()
        .execute(),
    );
  }
}
