import type { Schema } from './schema.js';

type Property = NonNullable<Extract<Schema, { properties?: unknown }>['properties']>[string];

/** The schema of a body whose optional fields may be null, which counts as absent (specification/conventions.md#nulls-and-lengths). */
export const withNulls = (body: Schema): Schema => {
  if (!('properties' in body) || !body.properties) return body;
  const required = new Set(body.required);
  const properties = Object.entries(body.properties).map(([name, property]) => [name, required.has(name) ? property : orNull(property)]);
  return { ...body, properties: Object.fromEntries(properties) as Record<string, Property> };
};

const orNull = (property: Property): object => {
  if ('$ref' in property) return { anyOf: [property, { type: 'null' }] };
  if (property.type === undefined) return property;
  return { ...property, type: [property.type, 'null'].flat(), ...(property.enum && { enum: [...(property.enum as unknown[]), null] }) };
};
