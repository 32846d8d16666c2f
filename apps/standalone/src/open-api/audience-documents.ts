import type { OpenAPIObject } from '@nestjs/swagger';

import type { ErrorCode } from '#service/http';

import { ERROR_ANSWER, ERROR_CODES } from './common-answers.js';
import { forGenerators } from './for-generators.js';
import type { Schema } from './schema.js';

interface Audience {
  readonly title: string;
  readonly prefix: string;
  readonly description: string;
  readonly securitySchemes: readonly string[];
}

const SHARED = `Every refusal but the 401 of HTTP Basic has the shape \`ErrorAnswer\`; branch on its \`errorCode\`. A client ignores fields and values that it does not know: they are added
without a new version. An optional field of a request may be left out or be null, which is the same.

This document is made for generators of code. The whole reference is \`openapi.json\`.`;

/** By the name in the file: `docs/openapi.<name>.json`. */
const AUDIENCES: Readonly<Record<string, Audience>> = {
  'relying-party': {
    title: 'Countersign for relying parties',
    prefix: '/relying-party/',
    description: `Log a user in, or have a user sign a document, by an approval on the phone. The server of the relying party calls it.\n\n${SHARED}`,
    securitySchemes: ['client', 'clientAssertion'],
  },
  device: {
    title: 'Countersign for makers of phone apps',
    prefix: '/app/',
    description: `What a phone app calls: enrolment, scanning and approval of sessions. Each request carries a proof made for it.\n\n${SHARED}`,
    securitySchemes: ['deviceProof'],
  },
  admin: {
    title: 'Countersign for administrators',
    prefix: '/admin/',
    description: `Clients, webhook endpoints, persons, devices and the state of the service.\n\n${SHARED}`,
    securitySchemes: ['admin'],
  },
};

/** Where `npm start` and the sandbox answer. */
const SERVER = { url: 'http://localhost:3000', description: 'The sandbox and `npm start`. In production: BASE_URL.' };

/** What every operation may answer beside its own refusals: a wrong path, and a fault of the service. */
const ALWAYS: readonly ErrorCode[] = ['not_found', 'internal_error'];

/** The documents for generators of code, by audience, cut out of the whole document. */
export const audienceDocuments = (document: OpenAPIObject): ReadonlyMap<string, OpenAPIObject> =>
  new Map(Object.entries(AUDIENCES).map(([name, audience]) => [name, cutOut(document, audience)]));

const cutOut = (document: OpenAPIObject, { title, prefix, description, securitySchemes }: Audience): OpenAPIObject => {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(prefix)));
  const all = withCodesOf(paths, document.components?.schemas as Record<string, Schema>);
  const used = namesIn(paths, all);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item as object).flatMap((operation: { tags: string[] }) => operation.tags)),
  );
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => securitySchemes.includes(name));
  return forGenerators({
    ...document,
    info: { ...document.info, title, description },
    servers: [SERVER],
    tags: (document.tags ?? []).filter(({ name }) => tags.has(name)),
    paths,
    components: { securitySchemes: Object.fromEntries(schemes), schemas },
  });
};

/** The codes of these operations only: no client handles those of others. */
const withCodesOf = (paths: object, schemas: Record<string, Schema>): Record<string, Schema> => {
  const codes = new Set<string>(ALWAYS);
  walk(paths, (value) => {
    if (ERROR_CODES in value) for (const code of value[ERROR_CODES] as readonly string[]) codes.add(code);
  });
  const { ErrorCode: all } = schemas;
  if (!all || !('enum' in all)) throw new Error(`the document has no codes of ${ERROR_ANSWER}`);
  return { ...schemas, ErrorCode: { ...all, enum: (all.enum as string[]).filter((code) => codes.has(code)) } };
};

/** The names of the schemas to which a value refers, and to which these refer. */
const namesIn = (value: object, schemas: Readonly<Record<string, Schema>>, found = new Set<string>()): ReadonlySet<string> => {
  walk(value, ({ $ref }) => {
    const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
    if (name === undefined || found.has(name)) return;
    found.add(name);
    namesIn(schemas[name]!, schemas, found);
  });
  return found;
};

/** Shows each object in a value, itself first. */
const walk = (value: unknown, look: (each: Readonly<Record<string, unknown>>) => void): void => {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) look(value as Record<string, unknown>);
  for (const member of Object.values(value)) walk(member, look);
};
