import { PagedList } from './paged-list.js';

describe('a paged list', () => {
  const list = new PagedList<string, string>();
  for (const id of ['a', 'b', 'c', 'd']) list.set(id, id.toUpperCase());
  list.set('a', 'A2');
  list.remove('b');

  it('is read page by page in the order of arrival', () => {
    expect(list.page({ limit: 2 })).toEqual({ entries: ['A2', 'C'], next: 'c' });
    expect(list.page({ limit: 2, after: 'c' })).toEqual({ entries: ['D'] });
    expect(list.page({ limit: 3 })).toEqual({ entries: ['A2', 'C', 'D'] });
  });

  it('keeps the place of an entry that is gone', () => {
    expect(list.page({ limit: 1, after: 'b' })).toEqual({ entries: ['C'], next: 'c' });
  });

  it('knows no other cursor', () => {
    expect(() => list.page({ limit: 1, after: 'x' })).toThrow('`after` is no id of this list.');
  });
});
