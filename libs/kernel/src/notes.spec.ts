import { Note, withNotes } from './notes.js';

describe('a note of an object', () => {
  it.each([
    ['that has room for notes', () => withNotes({ id: 1 })],
    ['that is frozen and has room for notes', () => Object.freeze(withNotes({ id: 1 }))],
    ['that has no room for notes', () => ({ id: 1 })],
    ['that is frozen and has no room for notes', () => Object.freeze({ id: 1 })],
    ['that is a list', () => Object.freeze(withNotes([1]))],
  ])('is found again, for an object %s', (_, make) => {
    const [colours, sizes] = [new Note<object, string>(), new Note<object, number>()];
    const [one, other] = [make(), make()];
    colours.set(one, 'red');
    sizes.set(one, 3);
    sizes.set(other, 4);
    sizes.set(one, 5);
    expect([colours.get(one), sizes.get(one), colours.get(other), sizes.get(other)]).toEqual(['red', 5, undefined, 4]);
  });

  it('is not seen by those who list or copy the object', () => {
    const note = new Note<object, string>();
    const object = withNotes({ id: 1 });
    note.set(object, 'red');
    expect(Reflect.ownKeys(object)).toEqual(['id']);
    expect(object).toStrictEqual({ id: 1 });
    expect(note.get({ ...object })).toBeUndefined();
    expect(note.get(structuredClone(object))).toBeUndefined();
  });
});
