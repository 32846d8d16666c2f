import { InvalidRequest, type Page, type PageRequest } from '#kernel';

/** A list in SQL whose rows have a place that never changes. */
export interface KeysetList<Row, Entry, Id extends string> {
  /** Of an entry that is or was on the list. */
  placeOf(id: Id): Promise<{ readonly place: number } | undefined>;
  /** The first rows after the place, in order. */
  rows(after: number, limit: number): Promise<readonly Row[]>;
  idOf(row: Row): Id;
  entryOf(row: Row): Entry;
}

/** One page, which costs the same wherever it lies. Throws {@link InvalidRequest} for a cursor that was never on the list. */
export const keysetPage = async <Row, Entry, Id extends string>(
  { limit, after }: PageRequest<Id>,
  list: KeysetList<Row, Entry, Id>,
): Promise<Page<Entry, Id>> => {
  const from = after === undefined ? { place: -1 } : await list.placeOf(after);
  if (!from) throw new InvalidRequest('`after` is no id of this list.');
  // One more tells whether there is another page.
  const rows = await list.rows(from.place, limit + 1);
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return { entries: entries.map((row) => list.entryOf(row)), ...(rows.length > limit && last !== undefined && { next: list.idOf(last) }) };
};
