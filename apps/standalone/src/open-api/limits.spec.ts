import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validateSync } from 'class-validator';

import { loadPlatformSettings } from '#service/config';
import type { HttpApp } from '#service/http';
import { openPlatform } from '#service/platform';

import { applications } from '../applications.js';
import { spelledOut } from './documented-answers.js';
import { partName, requestName } from './named-requests.js';
import { type RequestClasses, requestClasses, rulesOf, withNested } from './request-classes.js';

interface Operation {
  /** Method and path. */
  readonly name: string;
  readonly operationId: string;
  readonly requestBody?: object;
  readonly parameters: readonly { readonly name: string; readonly schema: Property; readonly required: boolean }[];
}

type Property = Readonly<Record<string, unknown>>;

const reference = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, Property>>; readonly required?: string[] }>>;
  };
};
const operations = Object.entries(reference.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): Operation => ({ ...operation, name: `${method} ${path}` })),
);
const spelled = (schema: Property): Property => spelledOut(schema, reference.components.schemas) as Property;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ajv = new Ajv2020({ strict: false, formats: { uuid: UUID, uri: true, date: true } });

let directory: string;
let platform: Awaited<ReturnType<typeof openPlatform>>;
let apps: readonly HttpApp[];
/** By method and path. */
let classes: ReadonlyMap<string, RequestClasses>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'limits-'));
  const settings = loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' });
  platform = await openPlatform(settings);
  apps = await Promise.all(applications(settings).map(({ create }) => create(platform)));
  classes = new Map(apps.flatMap(classesByRoute));
});

const classesByRoute = (app: HttpApp): readonly (readonly [string, RequestClasses])[] => {
  const found = requestClasses(app);
  return Object.entries(SwaggerModule.createDocument(app, new DocumentBuilder().build()).paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, { operationId }]) => [`${method} ${path}`, found.get(operationId) ?? {}] as const,
    ),
  );
};

afterAll(async () => {
  platform.stop();
  await Promise.all(apps.map((app) => app.close()));
  await platform.close();
  rmSync(directory, { recursive: true });
});

describe('the limits in the reference', () => {
  it('belong to operations with different names', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('are those of the class that checks the body, for every body, by the metadata of @nestjs/common 12.5.1', () => {
    const withBody = operations.filter(({ requestBody }) => requestBody);
    expect(withBody.length).toBeGreaterThan(30);
    expect(withBody.map(({ name }) => [name, requestName(classes.get(name)?.body?.name ?? '')])).toEqual(
      withBody.map(({ name, requestBody }) => [name, schemaNameOf(requestBody!)]),
    );
  });

  it('are in every field what its class asks for: a value that the class refuses, the schema refuses', () => {
    const wrong = fields().flatMap(({ name, dto, field, schema }) => {
      const accepts = ajv.compile(schema);
      const missed = samplesFor(dto, field).find((value) => !keeps(dto, field, value) && accepts(value));
      return missed === undefined ? [] : [`${name} takes ${JSON.stringify(missed).slice(0, 80)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are no stricter than the class, but where the domain checks the value and the field says so', () => {
    const wrong = fields().flatMap(({ name, dto, field, schema }) => {
      if (saysMore(dto, field)) return [];
      const accepts = ajv.compile(schema);
      const missed = samplesFor(dto, field).find((value) => keeps(dto, field, value) && !accepts(value));
      return missed === undefined ? [] : [`${name} refuses ${JSON.stringify(missed).slice(0, 80)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('name a field as required that the class requires, and no other', () => {
    const wrong = fields().filter(({ dto, field, required }) => required === keeps(dto, field, undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('are patterns of ECMA-262 that need no flag but u', () => {
    const patterns = JSON.stringify(reference).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
    const read = [...patterns].map(([, text]) => new RegExp(JSON.parse(text!) as string, 'u'));
    expect(read.length).toBeGreaterThan(20);
  });
});

interface Field {
  readonly name: string;
  readonly dto: Type<object>;
  readonly field: string;
  readonly schema: Property;
  readonly required: boolean;
}

/** Every field of a body or a query that class-validator checks, with its schema. */
const fields = (): readonly Field[] => {
  const bodies = [
    ...new Set([...classes.values()].flatMap(({ body }) => (body && requestName(body.name) in reference.components.schemas ? body : []))),
  ];
  const nested = new Set(bodies.flatMap((body) => withNested(body).slice(1)));
  return [
    ...bodies.flatMap((body) => fieldsOfBody(body, requestName(body.name))),
    ...[...nested].flatMap((part) => fieldsOfBody(part, partName(part.name))),
    ...operations.flatMap(fieldsOfQuery),
  ].filter(({ dto, field }) => !rulesOf(dto).some(({ type, propertyName }) => type === 'nestedValidation' && propertyName === field));
};

const fieldsOfBody = (dto: Type<object>, schemaName: string): readonly Field[] => {
  const { properties, required = [] } = reference.components.schemas[schemaName]!;
  return namesOf(dto).map((field) => ({
    name: `${schemaName}.${field}`,
    dto,
    field,
    schema: spelled(properties[field]!),
    required: required.includes(field),
  }));
};

const fieldsOfQuery = ({ name: operation, parameters }: Operation): readonly Field[] => {
  const dto = classes.get(operation)?.query;
  if (!dto) return [];
  return namesOf(dto).map((field) => {
    const { schema, required } = parameters.find(({ name }) => name === field)!;
    return { name: `${operation}?${field}`, dto, field, schema: spelled(schema), required };
  });
};

const namesOf = (dto: Type<object>): readonly string[] => [...new Set(rulesOf(dto).map(({ propertyName }) => propertyName))];

const schemaNameOf = (body: object): string => /schemas\/(\w+)/.exec(JSON.stringify(body))![1]!;

const keeps = (dto: Type<object>, field: string, value: unknown): boolean =>
  !validateSync(Object.assign(new dto(), { [field]: value })).some(({ property }) => property === field);

/** Whether the class describes the field beyond its rules (`@ApiProperty`). */
const saysMore = (dto: Type<object>, field: string): boolean => Reflect.hasMetadata('swagger/apiModelProperties', dto.prototype as object, field);

/** Values about each limit in the rules of the field, and of each kind. */
const samplesFor = (dto: Type<object>, field: string): readonly unknown[] => {
  const constraints = rulesOf(dto)
    .filter(({ propertyName, type }) => propertyName === field && type === 'customValidation')
    .flatMap(({ constraints: all }) => (all ?? []) as unknown[]);
  const given = constraints.filter((constraint) => typeof constraint === 'number');
  const numbers = [0, 1, ...given].flatMap((limit) => [limit - 1, limit, limit + 1]);
  const lengths = [...new Set([...numbers, 22, 43, 64, 87, 128, 129])].filter((length) => length >= 0 && length <= 50_000);
  const listed = constraints.filter((constraint) => Array.isArray(constraint)).flat() as unknown[];
  return [
    ...numbers,
    0.5,
    true,
    {},
    ...lengths.flatMap((length) => ['a'.repeat(length), '\u{1f511}'.repeat(length)]),
    ...['A-._~'.repeat(10), ' ', '\t\n', '\ufeff', '\u0085', 'a\u0000b', 'a\u009fb', 'a\u202eb', 'a\u2069b', 'a\u200db', 'Ä', 'unknown'],
    ...['0b0e7f4c-6a4f-4a52-9d0c-3f6f9b1c2d3e', '0B0E7F4C-6A4F-4A52-9D0C-3F6F9B1C2D3E', '0b0e7f4c6a4f4a529d0c3f6f9b1c2d3e'],
    ...listed,
    ...lists(listed),
  ];
};

const lists = (listed: readonly unknown[]): readonly unknown[] => [
  [],
  [1],
  ['a'],
  ['a', 'a'],
  ['unknown'],
  listed,
  [...listed, ...listed],
  [...listed, 'unknown'],
  ...listed.map((value) => [value]),
];
