import { ERROR_ANSWER } from './common-answers.js';
import type { Schema } from './schema.js';

type Property = NonNullable<Extract<Schema, { properties?: unknown }>['properties']>[string];

/**
 * The schemas with their nulls: an optional field of a request may be null, which counts as absent (specification/conventions.md#nulls-and-lengths), and the `payload` of a
 * refusal is null where it has none.
 */
export const withNulls = (schemas: Readonly<Record<string, Schema>>, requests: ReadonlySet<string>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (name === ERROR_ANSWER) return [name, withNullIn(schema, (field) => field === 'payload')];
      return [name, requests.has(name) && 'properties' in schema ? withNullIn(schema, (field) => !schema.required?.includes(field)) : schema];
    }),
  );

/** The same schemas for generators of code, most of which know no null: what may be null is optional there. */
export const withoutNulls = (schema: Schema): Schema => {
  if (!('properties' in schema) || !schema.properties) return schema;
  const properties = Object.entries(schema.properties);
  const optional = new Set(properties.filter(([, property]) => mayBeNull(property)).map(([name]) => name));
  const required = (schema.required ?? []).filter((name) => !optional.has(name));
  const { required: _, ...others } = schema;
  return {
    ...others,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, withoutNull(property)])),
    ...(required.length > 0 && { required }),
  };
};

const withNullIn = (schema: Schema, isNull: (field: string) => boolean): Schema => {
  if (!('properties' in schema) || !schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, isNull(name) ? orNull(property) : property]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, Property> };
};

const NULL = { type: 'null' } as const;

const orNull = (property: Property): object => {
  if ('$ref' in property) {
    const { $ref, ...others } = property;
    return { ...others, anyOf: [{ $ref }, NULL] };
  }
  if (property.type === undefined) return property;
  return { ...property, type: [property.type, 'null'].flat() };
};

const mayBeNull = (property: Property): boolean =>
  !('$ref' in property) && (typesOf(property).includes('null') || (property.anyOf ?? []).some((each) => 'type' in each && each.type === 'null'));

const withoutNull = (property: Property): Property => {
  if ('$ref' in property || !mayBeNull(property)) return property;
  const { anyOf, type: _, ...others } = property;
  const [only] = (anyOf ?? []).filter((each) => !('type' in each && each.type === 'null'));
  return { ...others, ...(only ?? { type: typesOf(property).find((each) => each !== 'null') }) } as Property;
};

/** OpenAPI 3.1 has a list of types; the types of Nest know one. */
const typesOf = ({ type }: Exclude<Property, { $ref: string }>): readonly unknown[] => [type].flat();
