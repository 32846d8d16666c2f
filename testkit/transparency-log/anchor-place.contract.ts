import { expect, it } from '@jest/globals';

import { type AnchorPlace, PlaceUnavailable } from '#engines/transparency-log';

export interface PlaceUnderTest {
  readonly place: AnchorPlace;
  /** The place does not answer until {@link back}. What it has stays. */
  readonly away: () => Promise<void>;
  readonly back: () => Promise<void>;
}

const BUNDLE = 'tile/entries/x001/234.p/17';

/** What every place of checkpoints does. */
export const anchorPlaceContract = (opened: () => PlaceUnderTest): void => {
  const place = (): AnchorPlace => opened().place;

  it('has nothing where nothing was written', async () => {
    expect(await place().read('checkpoint')).toBeUndefined();
    expect(await place().read(BUNDLE)).toBeUndefined();
  });

  it('answers what was written last, under each path, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251));
    await place().write(BUNDLE, Buffer.from('first'));
    await place().write(BUNDLE, bytes);
    await place().write('checkpoint', Buffer.from('second'));
    expect((await place().read(BUNDLE))?.equals(bytes)).toBe(true);
    expect((await place().read('checkpoint'))?.toString()).toBe('second');
  });

  it('shows all of a writing or nothing of it, to those who read meanwhile', async () => {
    const texts = ['a', 'b', 'c', 'd'].map((letter, times) => letter.repeat(50_000 * (times + 1)));
    await place().write('checkpoint', Buffer.from(texts[0]!));
    const seen: (string | undefined)[] = [];
    const reading = (async () => {
      for (let reads = 0; reads < 20; reads++) seen.push((await place().read('checkpoint'))?.toString());
    })();
    for (const text of [...texts, ...texts]) await place().write('checkpoint', Buffer.from(text));
    await reading;
    expect(seen).toHaveLength(20);
    expect(seen.filter((text) => !texts.includes(text ?? ''))).toEqual([]);
  });

  it('forgets what it is told to forget, and takes it for no fault where nothing is', async () => {
    await place().write(BUNDLE, Buffer.from('leaves'));
    await place().remove(BUNDLE);
    await place().remove(BUNDLE);
    expect(await place().read(BUNDLE)).toBeUndefined();
  });

  it('is unavailable while it is away, by its name and not as if it had nothing, and has everything when it is back', async () => {
    const { away, back } = opened();
    await place().write('checkpoint', Buffer.from('kept'));
    await away();
    for (const work of [() => place().read('checkpoint'), () => place().write('checkpoint', Buffer.from('lost'))]) {
      const error = await work().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(PlaceUnavailable);
      expect((error as PlaceUnavailable).reason).toMatch(new RegExp(`^${place().name}: \\w`));
    }
    await place().remove('checkpoint');
    await back();
    expect((await place().read('checkpoint'))?.toString()).toBe('kept');
  });
};
