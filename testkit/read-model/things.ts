import type { DomainEvent } from '#kernel';
import { idOf } from '#engines/event-store';

import type { Projection } from '#engines/read-model';

export interface ThingTables {
  things_v1: { id: string; place: number; revision: number; words: string };
}

type ThingEvent = DomainEvent<'Said', { readonly word: string }>;

/** The words of each thing, in the order in which the things began. */
export const thingsProjection = ({ beforeEach = () => undefined }: { readonly beforeEach?: (word: string) => void | Promise<void> } = {}): Projection<
  ThingTables,
  ThingEvent
> => ({
  name: 'things',
  version: 1,
  tables: ['things_v1'],
  categories: ['thing'],
  progress: { category: 'thing', table: 'things_v1', id: 'id' },
  create: async ({ schema }) => {
    await schema
      .createTable('things_v1')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('words', 'text', (column) => column.notNull())
      .execute();
  },
  apply: async (transaction, { stream, revision, position, data: { word } }) => {
    await beforeEach(word);
    const id = idOf(stream);
    await transaction
      .insertInto('things_v1')
      .values({ id, place: Number(position), revision, words: word })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(({ ref, val, fn: _, ...rest }) => ({
            revision: ref('excluded.revision'),
            words: rest.eb('things_v1.words', '||', val(` ${word}`)),
          }))
          .whereRef('things_v1.revision', '<', 'excluded.revision'),
      )
      .execute();
  },
});

/** A later version, with a table of its own. It tells the word of each event. */
export const laterThings = (tell: (word: string) => void): Projection<ThingTables, ThingEvent> => {
  const { progress: _, ...projection } = thingsProjection();
  return {
    ...projection,
    version: 2,
    tables: ['things_v2'] as unknown as Projection<ThingTables>['tables'],
    create: ({ schema }) => schema.createTable('things_v2').addColumn('id', 'text').execute(),
    apply: async (_transaction, { data: { word } }) => tell(word),
  };
};
