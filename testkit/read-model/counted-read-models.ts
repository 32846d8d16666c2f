import type { Kysely, KyselyPlugin, Transaction } from 'kysely';

import { ReadModels } from '#engines/read-model';

/** Read models that count their statements by kind and table: `Insert things`. They do not count the statements of migrations, begin and commit. */
export class CountedReadModels extends ReadModels {
  readonly isShared: boolean;

  constructor(
    private readonly inner: ReadModels,
    private readonly counts: Map<string, number>,
  ) {
    super();
    this.isShared = inner.isShared;
  }

  override migrate(): Promise<void> {
    return this.inner.migrate();
  }

  override query<Tables, Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return this.inner.query<Tables, Result>((database) => work(database.withPlugin(this.#plugin)));
  }

  override transaction<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.inner.transaction<Tables, Result>((transaction) => work(transaction.withPlugin(this.#plugin)));
  }

  override close(): Promise<void> {
    return this.inner.close();
  }

  readonly #plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const statement = `${node.kind.replace('QueryNode', '')} ${tableOf(node) ?? ''}`;
      this.counts.set(statement, (this.counts.get(statement) ?? 0) + 1);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

/** The first table that the tree of a statement names. */
const tableOf = (tree: unknown): string | undefined => {
  if (typeof tree !== 'object' || tree === null) return undefined;
  const { kind, identifier } = tree as { readonly kind?: unknown; readonly identifier?: { readonly name: string } };
  if (kind === 'SchemableIdentifierNode') return identifier?.name;
  for (const part of Object.values(tree)) {
    const found = tableOf(part);
    if (found !== undefined) return found;
  }
  return undefined;
};
