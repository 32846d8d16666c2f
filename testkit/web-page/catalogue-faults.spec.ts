import { catalogueFaults } from './catalogue-faults.js';

const en = { title: 'Back to {name}', done: 'Done' };
const sources = "heading.textContent = texts.title; const END = { text: 'done' };";

describe('the check of a catalogue', () => {
  it('finds nothing in a complete one whose keys are all used', () => {
    expect(catalogueFaults({ en, de: { title: 'Zurück: {name}', done: 'Fertig' } }, sources)).toEqual([]);
  });

  it.each([
    ['a missing key', { title: 'Zurück: {name}' }, 'de: done is missing'],
    ['a key that English has not', { title: 'Zurück: {name}', done: 'Fertig', more: 'Mehr' }, 'de: more is in no other language'],
    ['an empty text', { title: 'Zurück: {name}', done: ' ' }, 'de: done is empty'],
    ['a lost placeholder', { title: 'Zurück', done: 'Fertig' }, 'de: title has other placeholders than the English text: '],
    [
      'dots instead of an ellipsis',
      { title: 'Zurück: {name}', done: 'Warten...' },
      'de: done has a quotation mark, an apostrophe or dots of a typewriter',
    ],
    ['a letter of another language', { title: 'Zurück: {name}', done: 'Gаtе' }, 'de: done has letters of another language: ае'],
  ])('finds %s', (_, de, fault) => {
    expect(catalogueFaults({ en, de }, sources)).toEqual([fault]);
  });

  it('finds a key that nothing uses', () => {
    expect(catalogueFaults({ en: { ...en, old: 'Old' } }, sources)).toEqual(['old: no source uses it']);
  });
});
