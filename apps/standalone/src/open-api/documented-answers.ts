import type { Schema } from './schema.js';

/** The part of the document that has the answers. */
export interface DocumentedPaths {
  readonly paths: Readonly<Record<string, object>>;
}

/** The success answer of an operation that has a body. */
export interface DocumentedAnswer {
  /** Method and path. */
  readonly name: string;
  readonly summary: string;
  readonly schema: InlineSchema;
}

/** A schema that stands where it is used. */
export type InlineSchema = Exclude<Schema, { $ref: string }>;

interface Operation {
  readonly summary?: string;
  readonly responses?: Readonly<Record<string, { readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } } }>>;
}

/** The success answers of the document, in its order. */
export const answersOf = ({ paths }: DocumentedPaths): readonly DocumentedAnswer[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { summary = '', responses = {} } = operation as Operation;
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      // Beside another success, 202 is the answer to a change that waits for an approval.
      const [, success] = successes.find(([status]) => status !== '202') ?? successes[0] ?? [];
      const schema = success?.content?.['application/json']?.schema;
      return schema && Object.keys(schema).length > 0 ? [{ name: `${method.toUpperCase()} ${path}`, summary, schema: inline(schema) }] : [];
    }),
  );

/** Throws for a schema that is only named: those of answers stand where they are used. */
export const inline = (schema: Schema): InlineSchema => {
  if ('$ref' in schema) throw new Error(`an answer names a schema: ${schema.$ref}`);
  return schema;
};
