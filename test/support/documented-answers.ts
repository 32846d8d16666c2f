import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { Answer, HttpRequest } from './http.js';

type Json = Record<string, unknown>;

interface Documented {
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: { readonly 'application/json'?: { readonly schema?: Json } } }>
  >;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** The answers that the reference describes (docs/openapi.json). */
export class DocumentedAnswers {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #routes: readonly { readonly path: string; readonly pattern: RegExp }[];

  constructor(private readonly document: ApiDocument) {
    // A path without parameters goes before one that matches it with them.
    const paths = Object.keys(document.paths).sort((one, other) => one.split('{').length - other.split('{').length);
    this.#routes = paths.map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`) }));
  }

  static ofReference(): DocumentedAnswers {
    return new DocumentedAnswers(JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as ApiDocument);
  }

  /** The deviations of an answer from the reference, in words; none for a path that the service does not have. */
  faults(
    { method, path: requested }: Pick<HttpRequest, 'method' | 'path'>,
    { status, text, json }: Pick<Answer, 'status' | 'text' | 'json'>,
  ): string[] {
    const [asked = ''] = requested.split('?', 1);
    const path = this.#routes.find(({ pattern }) => pattern.test(asked))?.path;
    const operation = path === undefined ? undefined : this.document.paths[path]?.[method.toLowerCase()];
    if (path === undefined || !operation) return [];
    const name = `${method} ${path} ${status}`;
    const documented = operation.responses[status];
    if (!documented) return [`${name} ${errorCodeIn(json)} is not documented`];
    const errorCode = errorCodeIn(json);
    if (status >= 400 && errorCode !== '' && !documented.description?.includes(`\`${errorCode}\``)) return [`${name} ${errorCode} is not documented`];
    const schema = documented.content?.['application/json']?.schema;
    if (!schema) return text === '' ? [] : [`${name} has a body that is not documented`];
    const validate = this.#validator(name, schema);
    if (validate(json)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => `${name} ${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  #validator(name: string, schema: Json): ValidateFunction {
    const known = this.#validators.get(name);
    if (known) return known;
    const validate = this.#ajv.compile(closed(schema, this.document.components.schemas) as Json);
    this.#validators.set(name, validate);
    return validate;
  }
}

/** The schema with its references filled in, and no other members than it names. */
const closed = (schema: unknown, schemas: Readonly<Record<string, Json>>): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return closed(schemas[$ref.replace('#/components/schemas/', '')], schemas);
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value, schemas)]));
  const { properties } = members as { properties?: object };
  const named = properties !== undefined && Object.keys(properties).length > 0;
  return named && !('additionalProperties' in members) ? { ...members, additionalProperties: false } : members;
};

const errorCodeIn = (json: Json | undefined): string => (typeof json?.['errorCode'] === 'string' ? json['errorCode'] : '');
