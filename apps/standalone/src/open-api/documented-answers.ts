import type { Reference, Schema } from './schema.js';

type Schemas = Readonly<Record<string, Schema>>;

/** The part of the document that has the answers. */
export interface DocumentedPaths {
  readonly paths: Readonly<Record<string, object>>;
  readonly components?: { readonly schemas?: Schemas };
}

/** The success answer of an operation that has a body. */
export interface DocumentedAnswer {
  /** Method and path. */
  readonly name: string;
  readonly summary: string;
  /** As it stands in the document: a name. */
  readonly documented: Schema;
  /** With every named schema in place of its name. */
  readonly schema: InlineSchema;
}

/** A schema that stands where it is used. */
export type InlineSchema = Exclude<Schema, Reference>;

interface Operation {
  readonly summary?: string;
  readonly responses?: Readonly<Record<string, { readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } } }>>;
}

/** The success answers of the document, in its order. */
export const answersOf = ({ paths, components }: DocumentedPaths): readonly DocumentedAnswer[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { summary = '', responses = {} } = operation as Operation;
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      // Beside another success, 202 is the answer to a change that waits for an approval.
      const [, success] = successes.find(([status]) => status !== '202') ?? successes[0] ?? [];
      const schema = success?.content?.['application/json']?.schema;
      if (!schema || Object.keys(schema).length === 0) return [];
      return [
        { name: `${method.toUpperCase()} ${path}`, summary, documented: schema, schema: inline(spelledOut(schema, components?.schemas ?? {})) },
      ];
    }),
  );

/** Throws for a schema that is only named. */
export const inline = (schema: Schema): InlineSchema => {
  if ('$ref' in schema) throw new Error(`an answer names a schema: ${schema.$ref}`);
  return schema;
};

/** The name that a reference has. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The schema with every named schema in place of its name; a description beside the name is that of the place. */
export const spelledOut = (schema: Schema, schemas: Schemas): Schema => {
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Record<string, unknown>;
    const members = Object.fromEntries(Object.entries(beside).map(([name, member]) => [name, filled(member)]));
    return typeof $ref === 'string' ? { ...(filled(schemas[nameOf({ $ref })]) as object), ...members } : members;
  };
  return filled(schema) as Schema;
};
