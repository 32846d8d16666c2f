import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly responses: Readonly<Record<string, Json & { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>>;
}

type Json = Readonly<Record<string, unknown>>;

const ROOT = join(import.meta.dirname, '../../../..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const { version } = read('package.json') as { version: string };
const whole = read('docs/openapi.json') as Document;
const operationsOf = ({ paths }: Document): readonly Operation[] => Object.values(paths).flatMap((item) => Object.values(item));

/** Names that come from the code, or that a generator makes up. */
const MADE_UP = /Controller|Dto|Type1|Response200|200Response|Inner/;

/** Every object in a value, with its place. */
const objectsIn = (value: unknown, place = ''): readonly (readonly [string, Json])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).flatMap(([name, member]) => objectsIn(member, `${place}/${name}`));
  return Array.isArray(value) ? members : [[place, value as Json], ...members];
};

describe.each(['relying-party', 'device', 'admin'])('the document of the audience %s', (audience) => {
  const document = read(`docs/openapi.${audience}.json`) as Document;
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const objects = objectsIn(document);

  it('is of OpenAPI 3.0, with the version of the package and the address of the sandbox', () => {
    expect([document.openapi, document.info.version, document.servers[0]?.url]).toEqual(['3.0.3', version, 'http://localhost:3000']);
  });

  it('names its operations by a verb and an object, as the whole reference does, and each once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(7);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id) || MADE_UP.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const all = new Set(operationsOf(whole).map(({ operationId }) => operationId));
    expect(ids.filter((id) => !all.has(id))).toEqual([]);
  });

  it('has only the schemas that it uses, each under a name of its own', () => {
    const used = new Set(objects.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : [])));
    expect([...used].toSorted()).toEqual(Object.keys(schemas).toSorted());
    expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || MADE_UP.test(name))).toEqual([]);
  });

  it('leaves a generator nothing to name: no object with fields and no list of values stands inside of another schema', () => {
    const unnamed = objects.filter(([place, { properties, enum: values }]) => {
      const isNamed = /^\/components\/schemas\/[^/]+$/.test(place);
      return !isNamed && !place.endsWith('/properties') && (properties !== undefined || values !== undefined);
    });
    expect(unnamed.map(([place]) => place)).toEqual([]);
  });

  it('has one name for each list of values', () => {
    const lists = Object.values(schemas).flatMap(({ enum: values }) => (values ? [JSON.stringify((values as string[]).toSorted())] : []));
    expect(lists.length).toBeGreaterThan(3);
    expect(new Set(lists).size).toBe(lists.length);
  });

  it('has no null, no whole number of 32 bits, and nothing beside a reference', () => {
    const wrong = objects.filter(
      ([, { type, nullable, format, $ref, ...others }]) =>
        Array.isArray(type) ||
        type === 'null' ||
        nullable !== undefined ||
        (type === 'integer' && format !== 'int64') ||
        (typeof $ref === 'string' && (Object.keys(others).length > 0 || type !== undefined)),
    );
    expect(wrong.map(([place]) => place)).toEqual([]);
  });

  it('says of a map what its values are', () => {
    const maps = objects.filter(([place, { type, properties }]) => type === 'object' && !properties && !place.endsWith('/properties'));
    expect(maps.filter(([, { additionalProperties }]) => additionalProperties === undefined).map(([place]) => place)).toEqual([]);
  });

  it('has a type for every refusal, but for the 401 of HTTP Basic, which has no body', () => {
    const refusals = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Number(status) < 400 ? [] : [[`${operationId} ${status}`, content?.['application/json']?.schema['$ref']] as const],
      ),
    );
    const untyped = refusals.filter(([, type]) => type !== '#/components/schemas/ErrorAnswer').map(([name]) => name);
    expect(untyped).toEqual(audience === 'relying-party' ? operations.map(({ operationId }) => `${operationId} 401`) : []);
  });

  it('has the error codes of its operations, and those of a wrong path and of a fault', () => {
    const codes = objects.flatMap(([, { 'x-error-codes': each }]) => (each ?? []) as string[]);
    expect(schemas['ErrorCode']?.['enum']).toEqual([...new Set([...codes, 'not_found', 'internal_error'])].toSorted());
  });

  it('has the security schemes that its operations name, and no other', () => {
    const named = new Set(operations.flatMap(({ security }) => security.flatMap((each) => Object.keys(each))));
    expect(Object.keys(document.components.securitySchemes).toSorted()).toEqual([...named].toSorted());
  });
});

describe('the whole reference', () => {
  it('has the same names, and the nulls that requests may have', () => {
    const ids = operationsOf(whole).map(({ operationId }) => operationId);
    expect([...ids, ...Object.keys(whole.components.schemas)].filter((name) => MADE_UP.test(name))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(objectsIn(whole).filter(([, { type }]) => Array.isArray(type) && type.includes('null')).length).toBeGreaterThan(30);
  });
});
