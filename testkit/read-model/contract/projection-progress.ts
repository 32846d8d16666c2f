import { expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { type ExpectedRevision, MARK_STREAM, NO_STREAM, type Place, type RecordedEvent, streamName } from '#engines/event-store';

import { ProjectionLeaseLost, ProjectionState } from '#engines/read-model';
import { SignsOfLife } from '#engines/read-model';
import { thingsProjection, type ThingTables } from '../things.js';
import type { ProjectionFixture } from './projection-fixture.js';

/** Promises on how a projection follows the store: in order, once, from its checkpoint on, by one process at a time. */
export const projectionProgressContract = (fixture: ProjectionFixture): void => {
  it('shows the history and what follows', async () => {
    await fixture.say('b', 'one', 'two');
    await fixture.say('a', 'three');
    const { things } = fixture.start();
    expect(await fixture.rows(things)).toEqual([
      { id: 'b', words: 'one two', revision: 1 },
      { id: 'a', words: 'three', revision: 0 },
    ]);
    await fixture.say('a', 'four');
    expect(await fixture.rowsAfter(things, 'a')).toContainEqual({ id: 'a', words: 'three four', revision: 1 });
  });

  it('shows an append of the own process to the very next read', async () => {
    const { projections, things } = fixture.start();
    for (let number = 0; number < 20; number++) {
      const stream = streamName('thing', `${number}`);
      const { revision } = await fixture.store.append(stream, NO_STREAM, [{ type: 'Said', data: { word: 'hello' } }]);
      projections.note(stream, revision);
      expect(await fixture.rows(things)).toHaveLength(number + 1);
    }
  });

  it('goes on after its checkpoint when it starts again', async () => {
    await fixture.say('a', 'one', 'two');
    const first = fixture.start();
    await fixture.rows(first.things);
    await first.projections.close();
    await fixture.say('a', 'three');
    const second = fixture.start();
    expect(await fixture.rowsAfter(second.things, 'a')).toEqual([{ id: 'a', words: 'one two three', revision: 2 }]);
    expect(fixture.handedOver).toEqual(['one', 'two', 'three']);
  });

  it('passes over the events of others once only, also over a restart', async () => {
    await fixture.say('a', 'one');
    const first = fixture.start();
    await fixture.rows(first.things);
    for (let number = 0; number < 20; number++) {
      const foreign = Array.from({ length: 250 }, () => ({ type: 'Foreign', data: {} }));
      await fixture.store.append(streamName('foreign', `${number}`), NO_STREAM, foreign);
    }
    const position = async (): Promise<number> => Number((await first.projections.list())[0]?.position);
    // Progress is stored each thousand positions.
    await eventually(async () => (await position()) > 4_001);
    await first.projections.close();
    const subscriptions = fixture.observeSubscriptions();
    await fixture.say('a', 'two');
    const second = fixture.start();
    expect(await fixture.rowsAfter(second.things, 'a')).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
    expect(subscriptions).toHaveLength(1);
    expect((subscriptions[0]!.after as Place).position).toBeGreaterThan(4_001n);
  });

  it('stores no row without its checkpoint, and none twice', async () => {
    let broken = true;
    const seen: string[] = [];
    const failing = thingsProjection({
      beforeEach: (word) => {
        seen.push(word);
        if (word === 'three' && broken) throw new Error('the process is out of memory');
      },
    });
    await fixture.say('a', 'one', 'two', 'three');
    const { projections, things } = fixture.start(failing);
    await eventually(() => seen.filter((word) => word === 'three').length >= 2);
    expect(await projections.list()).toEqual([{ name: 'things', version: 1, complete: false }]);
    broken = false;
    expect(await fixture.rows(things)).toEqual([{ id: 'a', words: 'one two three', revision: 2 }]);
  });

  it('does not change when events are applied again', async () => {
    await fixture.say('a', 'one', 'two');
    const { projections, things } = fixture.start();
    const before = await fixture.rows(things);
    await projections.close();
    const readModels = fixture.open();
    const projection = thingsProjection();
    const state = new ProjectionState<ThingTables>(readModels, projection as never);
    try {
      await state.prepare();
      const lease = (await state.take((await state.row())!, 'a test', ''))!;
      const events = await fixture.store.read(streamName('thing', 'a'));
      await state.advance(lease, events, { place: undefined, caughtUp: false });
      await state.release(lease);
    } finally {
      await readModels.close();
    }
    expect(await fixture.rows(fixture.start().things)).toEqual(before);
  });

  it('covers a position once the events up to there are applied, and not before', async () => {
    await fixture.say('a', 'one');
    const { things } = fixture.start();
    const [last] = await fixture.store.read(streamName('thing', 'a'), { direction: 'backwards', limit: 1 });
    await things.covers(last!.position);
    expect(await fixture.rows(things)).toHaveLength(1);
    await expect(things.covers(last!.position + 1n)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is current after a restart once reads show what was stored before', async () => {
    await fixture.say('a', 'one');
    const first = fixture.start();
    await fixture.rows(first.things);
    await first.projections.close();
    await fixture.say('a', 'two');
    const { things } = fixture.start();
    const isCurrent = (): Promise<boolean> =>
      things.current().then(
        () => true,
        () => false,
      );
    await eventually(isCurrent, { what: 'the read model is current' });
    expect(await fixture.rows(things)).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
  });

  it('applies only the events that concern it, and waits for no others', async () => {
    const projection = thingsProjection({ beforeEach: (word) => void fixture.handedOver.push(word) });
    const { things } = fixture.start({ ...projection, linger: 10, concerns: ({ data }) => (data as { word: string }).word !== 'noise' });
    await fixture.say('a', 'one', 'noise');
    await fixture.say('b', 'noise');
    await fixture.say('a', 'two');
    expect(await fixture.rowsAfter(things, 'a')).toEqual([{ id: 'a', words: 'one two', revision: 2 }]);
    await fixture.say('c', 'noise');
    await things.current();
    expect(fixture.handedOver).toEqual(['one', 'two']);
  });

  it('keeps marks of the store beside its checkpoint, up to it', async () => {
    const mark = async (expected: ExpectedRevision): Promise<unknown> => {
      const { revision } = await fixture.store.append(MARK_STREAM, expected, [{ type: 'Marked', data: { at: 0, history: '' } }]);
      const [{ position, id }] = (await fixture.store.read(MARK_STREAM, { from: revision })) as [RecordedEvent];
      return [Number(position), id];
    };
    const marks = [await mark(NO_STREAM), await mark(0)];
    await fixture.say('a', 'one');
    await mark(1);
    const { projections, things } = fixture.start();
    await fixture.rows(things);
    await projections.close();
    const readModels = fixture.open();
    const row = await new ProjectionState<ThingTables>(readModels, thingsProjection() as never).row();
    await readModels.close();
    expect(JSON.parse(row?.marks ?? '')).toEqual(marks);
  });

  it('refuses the writes of a process whose lease is over', async () => {
    await fixture.say('a', 'one');
    const { projections, things } = fixture.start();
    await fixture.rows(things);
    await projections.close();
    const readModels = fixture.open();
    const state = new ProjectionState<ThingTables>(readModels, thingsProjection() as never);
    try {
      await state.prepare();
      const frozen = (await state.take((await state.row())!, 'frozen', ''))!;
      const taker = (await state.take((await state.row())!, 'taker', ''))!;
      await fixture.say('a', 'two');
      const events = (await fixture.store.read(streamName('thing', 'a'))).slice(1);
      const progress = { place: events[0]!, caughtUp: true };
      await expect(state.advance(frozen, events, progress)).rejects.toBeInstanceOf(ProjectionLeaseLost);
      const signs = new SignsOfLife(readModels, { holder: 'frozen', interval: 60_000 });
      const ended = new Promise<unknown>((resolve) => {
        signs.keep({ ...thingsProjection(), epoch: frozen.epoch, signed: async () => resolve('still writes'), ended: resolve });
      });
      await signs.sign();
      expect(await ended).toBeInstanceOf(ProjectionLeaseLost);
      expect((await state.revisions(['a'])).get('a')).toBe(0);
      await state.reset();
      await expect(state.advance(taker, events, progress)).rejects.toBeInstanceOf(ProjectionLeaseLost);
    } finally {
      await readModels.close();
    }
  });
};
