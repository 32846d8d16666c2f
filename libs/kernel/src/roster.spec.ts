import { Roster } from './roster.js';

describe('a roster', () => {
  const roster = new Roster<string, string>();
  for (const id of ['a', 'b', 'c', 'd']) roster.set(id, id.toUpperCase());
  roster.set('a', 'A2');
  roster.remove('b');

  it('is read page by page in the order of arrival', () => {
    expect(roster.page({ limit: 2 })).toEqual({ entries: ['A2', 'C'], next: 'c' });
    expect(roster.page({ limit: 2, after: 'c' })).toEqual({ entries: ['D'] });
    expect(roster.page({ limit: 3 })).toEqual({ entries: ['A2', 'C', 'D'] });
  });

  it('keeps the place of an entry that is gone', () => {
    expect(roster.page({ limit: 1, after: 'b' })).toEqual({ entries: ['C'], next: 'c' });
  });

  it('knows no other cursor', () => {
    expect(() => roster.page({ limit: 1, after: 'x' })).toThrow('`after` is no id of this list.');
  });
});
