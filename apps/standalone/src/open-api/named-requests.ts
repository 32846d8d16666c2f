import type { OpenAPIObject } from '@nestjs/swagger';

import { referenceTo } from './named-schemas.js';
import type { Schema } from './schema.js';

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** The public name of the class of a body. */
export const requestName = (className: string): string => className.replace(/(?:Request)?Dto$/, 'Request');

/** The public name of a class inside of a body. */
export const partName = (className: string): string => className.replace(/Dto$/, '');

/**
 * The schemas of the bodies under public names, to which it changes `paths`: `CreateSessionDto` is the body `CreateSessionRequest`, and a class inside of a body loses its
 * `Dto`.
 */
export const namedRequests = (paths: OpenAPIObject['paths'], schemas: Readonly<Record<string, object>>): Record<string, Schema> => {
  const bodies = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => referredTo(jsonOf(operation)?.schema))));
  const publicName = (name: string) => (bodies.has(name) ? requestName(name) : partName(name));
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, renamed(member)] as const);
    return { ...Object.fromEntries(members), ...('$ref' in value && referenceTo(publicName(referredTo(value)[0] ?? ''))) };
  };
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) {
      const content = jsonOf(operation);
      if (content) content.schema = renamed(content.schema) as object;
    }
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [publicName(name), renamed(schema) as Schema]));
};

interface JsonBody {
  schema: object;
}

const jsonOf = (operation: unknown): JsonBody | undefined =>
  (operation as { readonly requestBody?: { readonly content: { readonly 'application/json': JsonBody } } }).requestBody?.content['application/json'];

/** The name of the schema that a reference leads to, if it is one. */
const referredTo = (schema: object | undefined): readonly string[] => {
  const [, name] = (schema && '$ref' in schema && REFERENCE.exec(String(schema.$ref))) || [];
  return name === undefined ? [] : [name];
};
