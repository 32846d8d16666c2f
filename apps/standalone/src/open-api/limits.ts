import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

import { type Keywords, describeRule } from './keywords.js';
import { type RequestClasses, type ValidationRule, rulesOf, withNested } from './request-classes.js';

type Schemas = Readonly<Record<string, object>>;

/**
 * Adds the limits of the fields of all requests as keywords: the swagger plugin reads neither the project's own rules nor imported patterns. The rules of
 * class-validator, by which requests are checked, are their only source. Changes `paths` and answers the schemas of the bodies.
 */
export const withLimits = (paths: OpenAPIObject['paths'], schemas: Schemas, classes: ReadonlyMap<string, RequestClasses>): Schemas => {
  for (const { get } of Object.values(paths)) {
    const query = classes.get(get?.operationId ?? '')?.query;
    for (const parameter of get?.parameters ?? [])
      if (query && 'name' in parameter && parameter.schema) parameter.schema = limited(parameter.schema, rulesFor(query, parameter.name));
  }
  const bodies = [...classes.values()].flatMap(({ body }) => (body && body.name in schemas ? body : []));
  const all = bodies.flatMap(withNested).map((body) => [body.name, limitedBody(schemas[body.name], body)] as const);
  const limitedSchemas = { ...schemas, ...Object.fromEntries(all) };
  // An unknown field is refused, but not in a nested object (specification/conventions.md#request-bodies).
  const closed = bodies.map(({ name }) => [name, { ...limitedSchemas[name], additionalProperties: false }] as const);
  return { ...limitedSchemas, ...Object.fromEntries(closed) };
};

const limitedBody = (schema: object | undefined, body: Type<object>): object => {
  if (!schema || !('properties' in schema)) throw new Error(`the document has no schema of ${body.name}`);
  const properties = Object.entries(schema.properties as Schemas);
  return { ...schema, properties: Object.fromEntries(properties.map(([name, property]) => [name, limited(property, rulesFor(body, name))])) };
};

const rulesFor = (dto: Type<object>, property: string): readonly ValidationRule[] =>
  rulesOf(dto).filter(({ propertyName }) => propertyName === property);

const limited = (property: object, rules: readonly ValidationRule[]): object => {
  if ('$ref' in property) return property;
  const descriptions = (each: boolean) => rules.filter((rule) => Boolean(rule.each) === each).map(describeRule);
  const [own, ofEntries] = [descriptions(false), descriptions(true)];
  const words = own.flatMap(({ words: said }) => said ?? []);
  const items = 'items' in property ? (property.items as object) : {};
  return {
    ...property,
    ...merged(own.map(({ keywords }) => keywords)),
    ...(ofEntries.length > 0 && { items: { ...items, ...merged(ofEntries.map(({ keywords }) => keywords)) } }),
    ...(words.length > 0 && { description: ['description' in property ? property.description : [], words].flat().join(' ') }),
  };
};

/** A schema has one `pattern`; the others stand in `allOf`. */
const merged = (all: readonly Keywords[]): Keywords => {
  const [first, ...others] = all.filter((keywords) => 'pattern' in keywords);
  const rest = all.filter((keywords) => !('pattern' in keywords));
  return { ...Object.assign({}, ...rest, first), ...(others.length > 0 && { allOf: others }) } as Keywords;
};
