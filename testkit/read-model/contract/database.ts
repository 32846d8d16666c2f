import { expect, it } from '@jest/globals';

import { type DomainError, InvalidRequest } from '#kernel';

import { type ReadModels, ReadModelsUnavailable } from '#engines/read-model';

export interface ReadModelsSubject {
  /** A new empty database. */
  make(): Promise<void>;
  /** Opens the database; several times at once where it is shared. */
  open(): ReadModels;
  remove(): Promise<void>;
}

/** The promises of the port, in a database that the caller makes before each test. */
export const databaseContract = (subject: ReadModelsSubject): void => {
  const withDatabase = async (work: (readModels: ReadModels) => Promise<void>): Promise<void> => {
    const readModels = subject.open();
    try {
      await readModels.migrate();
      await work(readModels);
    } finally {
      await readModels.close();
    }
  };
  const makeWords = (readModels: ReadModels) =>
    readModels.query<object, void>((database) =>
      database.schema.createTable('words').addColumn('word', 'text').addColumn('number', 'bigint').execute(),
    );
  interface Words {
    words: { word: string; number: number };
  }

  it('takes the migrations again, also many times at once', () =>
    withDatabase(async (readModels) => {
      await Promise.all([readModels.migrate(), readModels.migrate()]);
      await readModels.migrate();
    }));

  it('does all of a transaction or nothing, and lets the error of a rule pass', () =>
    withDatabase(async (readModels) => {
      await makeWords(readModels);
      const insert = (fail: boolean) =>
        readModels.transaction<Words, void>(async (transaction) => {
          await transaction
            .insertInto('words')
            .values({ word: 'a', number: 2 ** 53 - 1 })
            .execute();
          if (fail) throw new InvalidRequest('no');
        });
      await expect(insert(true)).rejects.toBeInstanceOf(InvalidRequest);
      await insert(false);
      const found = await readModels.query<Words, unknown>((database) => database.selectFrom('words').selectAll().execute());
      expect(found).toEqual([{ word: 'a', number: 2 ** 53 - 1 }]);
    }));

  it('makes a refusal with a code of what the database refuses', () =>
    withDatabase(async (readModels) => {
      const query = readModels.query<Words, unknown>((database) => database.selectFrom('words').selectAll().execute());
      const error: unknown = await query.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ReadModelsUnavailable);
      expect((error as DomainError).code).toBe('service_unavailable');
    }));

  it('refuses everything once it is closed', () =>
    withDatabase(async (readModels) => {
      await readModels.close();
      await expect(readModels.query(async () => 1)).rejects.toBeInstanceOf(ReadModelsUnavailable);
    }));
};
