import { expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { laterThings, thingsProjection } from '../things.js';
import type { ProjectionFixture } from './projection-fixture.js';

/** Promises on a projection that is built again: on demand, for a new version, over tables that were left behind. */
export const projectionRebuildContract = (fixture: ProjectionFixture): void => {
  it('is rebuilt while it is read: every read shows all of it', async () => {
    for (let number = 0; number < 300; number++) await fixture.say(`${number}`, 'hello');
    const { projections, things } = fixture.start();
    const before = await fixture.rows(things);
    expect(before).toHaveLength(300);
    fixture.handedOver.length = 0;
    await projections.rebuild('things');
    for (let number = 0; number < 5; number++) expect(await fixture.rows(things)).toEqual(before);
    expect(fixture.handedOver).toHaveLength(300);
    await expect(projections.rebuild('other')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that is fed by the bus is filled from the store up to its end, and no further until it is rebuilt', async () => {
    const subscriptions = fixture.observeSubscriptions();
    await fixture.say('a', 'one');
    let completions = 0;
    const { projections, things } = fixture.start({ ...thingsProjection(), live: 'bus', completed: () => void (completions += 1) });
    const ids = () => things.rows((database) => database.selectFrom('things_v1').select('id').orderBy('place').execute());
    expect(await fixture.rowsAfter(things, 'a')).toHaveLength(1);
    await eventually(() => subscriptions[0]!.signal.aborted, { what: 'the subscription has ended' });
    await fixture.say('b', 'two');
    expect([completions, await ids()]).toEqual([1, [{ id: 'a' }]]);
    await projections.rebuild('things');
    await eventually(() => completions === 2, { what: 'it is filled again' });
    expect(await ids()).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('is rebuilt by a process that only administers it', async () => {
    await fixture.say('a', 'one');
    const first = fixture.start();
    await fixture.rows(first.things);
    await first.projections.close();
    await fixture.say('a', 'two');
    const { projections: administration } = fixture.projections();
    administration.administer(thingsProjection());
    expect(await administration.list()).toEqual([{ name: 'things', version: 1, complete: true, position: expect.any(Number) }]);
    await administration.rebuild('things');
    expect(await administration.list()).toEqual([{ name: 'things', version: 1, complete: false }]);
    expect(await fixture.rows(administration.follow(thingsProjection()))).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
  });

  it('is built anew in a later version, and the tables of the former one stay', async () => {
    await fixture.say('a', 'one');
    const first = fixture.start();
    await fixture.rows(first.things);
    await first.projections.close();
    const applied: string[] = [];
    const later = fixture.start(laterThings((word) => applied.push(word)));
    await eventually(() => applied.length === 1, { what: 'the later version is built' });
    await later.projections.close();
    fixture.handedOver.length = 0;
    expect(await fixture.rows(fixture.start().things)).toEqual([{ id: 'a', words: 'one', revision: 0 }]);
    expect(fixture.handedOver).toEqual([]);
  });

  it('is made although tables of its names were left behind without the bookkeeping', async () => {
    await fixture.say('a', 'one');
    const first = fixture.start();
    await fixture.rows(first.things);
    await first.projections.close();
    const database = fixture.open();
    await database.query((any) => any.schema.dropTable('projections').execute());
    await database.query((any) => any.schema.dropTable('kysely_migration').execute());
    await database.close();
    expect(await fixture.rows(fixture.start().things)).toEqual([{ id: 'a', words: 'one', revision: 0 }]);
  });
};
