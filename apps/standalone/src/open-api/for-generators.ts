import type { OpenAPIObject } from '@nestjs/swagger';

import { withoutNulls } from './nulls.js';
import type { Schema } from './schema.js';

/**
 * A document that generators of code can read: in OpenAPI 3.0, which all of them know; without nulls; every whole number of 64 bits, since some generators take 32 and an instant in
 * epoch seconds outgrows them in 2038; a description beside a reference in `allOf`, as 3.0 has it.
 */
export const forGenerators = (document: OpenAPIObject): OpenAPIObject => {
  const schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, withoutNulls(schema as Schema)]),
  );
  return { ...(converted({ ...document, components: { ...document.components, schemas } }) as OpenAPIObject), openapi: '3.0.3' };
};

const converted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, converted(member)] as const)) as Record<string, unknown>;
  const { $ref, ...beside } = members;
  if ($ref !== undefined && Object.keys(beside).length > 0) return { ...beside, allOf: [{ $ref }] };
  return members['type'] === 'integer' ? { ...members, format: 'int64' } : members;
};
