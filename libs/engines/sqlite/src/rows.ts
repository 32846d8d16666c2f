import type { SQLOutputValue } from 'node:sqlite';

type Found = Readonly<Record<string, SQLOutputValue>>;

/** The row of a statement's `get`, as its SELECT names the columns. TypeScript cannot read the SQL: the caller says the type. */
export const rowOf = <Row>(found: Found | undefined): Row | undefined => found as Row | undefined;

/** The rows of a statement's `all`; see {@link rowOf}. */
export const rowsOf = <Row>(found: readonly Found[]): readonly Row[] => found as readonly Row[];

/** The rows of a statement's `iterate`, one at a time; see {@link rowOf}. */
export const eachRowOf = <Row>(found: Iterable<Found>): Iterable<Row> => found as Iterable<Row>;
