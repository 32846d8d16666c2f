import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { BookkeepingTables } from './migrations.js';
import { ProjectionLeaseLost } from './projection-state.js';
import type { ReadModels } from './read-models.js';
import { SignsOfLife } from './signs-of-life.js';
import { openSqliteReadModels } from './sqlite/sqlite-read-models.js';
import { CountedReadModels } from '#testkit/read-model/counted-read-models';

const HOUR = 3_600_000;

describe('the signs of life of a process that writes projections', () => {
  const statements = new Map<string, number>();
  let readModels: ReadModels;
  let signs: SignsOfLife;
  /** What each projection was told: that the sign was given, or why it was not. */
  let told: Map<string, unknown>;

  const keep = (name: string, epoch = 1): (() => void) =>
    signs.keep({ name, version: 1, epoch, signed: async () => void told.set(name, 'signed'), ended: (reason) => told.set(name, reason) });

  const beats = async (): Promise<Record<string, number>> => {
    const rows = await readModels.query<BookkeepingTables, readonly { name: string; beat: number }[]>((database) =>
      database.selectFrom('projections').select(['name', 'beat']).execute(),
    );
    return Object.fromEntries(rows.map(({ name, beat }) => [name, beat]));
  };

  const change = (name: string, values: Partial<BookkeepingTables['projections']>): Promise<unknown> =>
    readModels.query<BookkeepingTables, unknown>((database) => database.updateTable('projections').set(values).where('name', '=', name).execute());

  beforeEach(async () => {
    readModels = openSqliteReadModels(':memory:');
    await readModels.migrate();
    const row = { version: 1, position: null, event_id: null, marks: null, history: '', complete: 1, epoch: 1, beat: 0 };
    const rows = [
      { ...row, name: 'clients', holder: 'this one' },
      { ...row, name: 'sessions', holder: 'this one' },
      { ...row, name: 'persons', holder: 'another' },
    ];
    await readModels.query<BookkeepingTables, unknown>((database) => database.insertInto('projections').values(rows).execute());
    statements.clear();
    told = new Map();
    signs = new SignsOfLife(new CountedReadModels(readModels, statements), { holder: 'this one', interval: HOUR });
  });
  afterEach(() => readModels.close());

  it('are given by one statement, however many projections there are', async () => {
    keep('clients');
    keep('sessions');
    await signs.sign();
    await signs.sign();
    expect(await beats()).toEqual({ clients: 2, sessions: 2, persons: 0 });
    expect([...told]).toEqual([
      ['clients', 'signed'],
      ['sessions', 'signed'],
    ]);
    expect([...statements]).toEqual([['Update projections', 2]]);
  });

  it('end the writing of a projection that another process has taken, and of no other', async () => {
    keep('clients');
    keep('sessions');
    await change('clients', { holder: 'another', epoch: 2 });
    await signs.sign();
    expect(told.get('clients')).toBeInstanceOf(ProjectionLeaseLost);
    expect(told.get('sessions')).toBe('signed');
  });

  it('end the writing with a lease of this process that is over', async () => {
    keep('clients');
    await change('clients', { epoch: 2 });
    await signs.sign();
    expect(told.get('clients')).toBeInstanceOf(ProjectionLeaseLost);
  });

  it('end the writing of all projections when they cannot be given', async () => {
    keep('clients');
    keep('sessions');
    await readModels.close();
    await signs.sign();
    expect([...told.values()]).toEqual([expect.any(Error), expect.any(Error)]);
  });

  it('tell nothing to a projection that is not written any more', async () => {
    const end = keep('clients');
    const signing = signs.sign();
    end();
    await signing;
    expect(told.size).toBe(0);
  });

  it('are given one at a time', async () => {
    keep('clients');
    await Promise.all([signs.sign(), signs.sign(), signs.sign()]);
    expect(await beats()).toMatchObject({ clients: 1 });
    await signs.sign();
    expect(await beats()).toMatchObject({ clients: 2 });
  });

  it('are given at each interval while a projection is written', async () => {
    signs = new SignsOfLife(readModels, { holder: 'this one', interval: 1 });
    const twice = Promise.withResolvers<void>();
    let given = 0;
    const end = signs.keep({
      name: 'clients',
      version: 1,
      epoch: 1,
      signed: async () => void (++given === 2 && twice.resolve()),
      ended: twice.reject,
    });
    await twice.promise;
    end();
    expect((await beats())['clients']).toBeGreaterThanOrEqual(2);
  });
});
