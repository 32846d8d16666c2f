import { InvalidRequest } from './domain-error.js';
import { Roster } from './roster.js';

describe('Roster', () => {
  const roster = (...ids: readonly string[]): Roster<string, string> => {
    const made = new Roster<string, string>();
    for (const id of ids) made.set(id, id.toUpperCase());
    return made;
  };

  it('lists in the order of arrival; a change keeps its place', () => {
    const list = roster('b', 'a', 'c');
    list.set('a', 'changed');
    expect(list.page({ limit: 10 })).toEqual({ entries: ['B', 'changed', 'C'] });
  });

  it('goes from page to page until the last, which names no next one', () => {
    const list = roster('a', 'b', 'c', 'd');
    expect(list.page({ limit: 2 })).toEqual({ entries: ['A', 'B'], next: 'b' });
    expect(list.page({ limit: 2, after: 'b' })).toEqual({ entries: ['C', 'D'] });
    expect(list.page({ limit: 2, after: 'd' })).toEqual({ entries: [] });
  });

  it('leaves out what was removed and keeps its cursor good', () => {
    const list = roster('a', 'b', 'c');
    list.remove('b');
    expect(list.get('b')).toBeUndefined();
    expect(list.page({ limit: 1 })).toEqual({ entries: ['A'], next: 'a' });
    expect(list.page({ limit: 1, after: 'b' })).toEqual({ entries: ['C'] });
  });

  it('promises no next page when only removed entries follow', () => {
    const list = roster('a', 'b');
    list.remove('b');
    expect(list.page({ limit: 1 })).toEqual({ entries: ['A'] });
  });

  it('refuses a cursor that was never on the list', () => {
    expect(() => roster('a').page({ limit: 1, after: 'x' })).toThrow(InvalidRequest);
    expect(() => new Roster<string, string>().page({ limit: 1, after: 'x' })).toThrow('after: not an id of this list');
  });
});
