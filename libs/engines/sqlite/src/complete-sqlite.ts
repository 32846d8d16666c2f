import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Adds what `node:sqlite` of Node 22.13 to 22.15 lacks and this project uses. On a later Node it changes nothing. */
export const completeSqlite = (): void => {
  add(DatabaseSync, 'location', {
    /** Null for a database in memory. */
    value(): string | null {
      const file = this.prepare('PRAGMA database_list').get()?.['file'];
      return typeof file === 'string' && file !== '' ? file : null;
    },
  });
  // Of a later Node each database has one of its own, which comes before this one.
  add(DatabaseSync, 'isTransaction', {
    get(): boolean {
      try {
        this.exec('BEGIN');
      } catch {
        // SQLite begins no transaction within another one.
        return true;
      }
      this.exec('ROLLBACK');
      return false;
    },
  });
  add(StatementSync, 'columns', {
    /** As many as the caller asks for: whether there are any. */
    value(): readonly object[] {
      return ROWS.test(this.sourceSQL) ? [{}] : [];
    },
  });
};

/** Statements that answer rows. */
const ROWS = /^\s*(?:select|values|pragma|explain)\b|\breturning\b/i;

/** A member of a class, unless it is there. */
const add = <Instance extends object>(
  type: { readonly prototype: Instance },
  name: keyof Instance,
  property: PropertyDescriptor & ThisType<Instance>,
): void => {
  if (!(name in type.prototype)) Object.defineProperty(type.prototype, name, { configurable: true, ...property });
};
