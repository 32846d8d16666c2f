import type { OpenAPIObject } from '@nestjs/swagger';

import { type ErrorCode, errorCatalogue } from '#service/http';

import type { AnswerSchemas } from './answer-schemas.js';
import { ERROR_ANSWER, ERROR_CODES, WAITING_APPROVAL } from './common-answers.js';
import { type NamedSchemas, referenceTo } from './named-schemas.js';
import type { OperationNote, OperationNotes, Parameter } from './operation-note.js';
import { REQUEST_EXAMPLES } from './request-examples.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

const CLIENT = 'client';

/** What a client may send in place of its secret (specification/conventions.md#client-authentication). */
const CLIENT_ASSERTION = 'clientAssertion';

/** The credential of each prefix, as a security scheme of the document. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  '/relying-party/': CLIENT,
  '/login-ui/': 'loginCookie',
  '/app/': 'deviceProof',
  '/admin/': 'admin',
  '/sandbox/': 'thisMachine',
};

/** The credentials that no request can send as a security scheme: the sandbox answers this machine only. */
const NO_SCHEME = 'thisMachine';

/** The errors that each credential's absence, its lack of a right, or too many failures cause. HTTP Basic has its 401 alone, which has no body. */
const UNAUTHENTICATED: Readonly<Record<string, readonly ErrorCode[]>> = {
  loginCookie: ['login_header_required', 'rate_limited'],
  deviceProof: ['invalid_device_proof', 'rate_limited'],
  admin: ['unauthorized', 'forbidden', 'portal_header_required', 'rate_limited'],
  thisMachine: ['not_allowed'],
};

/**
 * Adds the notes and the answers of the operations to the document, and the schemas of the answers to `schemas`. Throws for an operation without a note, for a note
 * without an operation, for two operations with one id, and for an answer without a name.
 */
export const describeOperations = (document: OpenAPIObject, notes: OperationNotes, answers: AnswerSchemas, schemas: NamedSchemas): OpenAPIObject => {
  const unused = new Set(Object.keys(notes));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const note = notes[name];
      if (!note) throw new Error(`${name} has no note in apps/standalone/src/open-api/notes`);
      unused.delete(name);
      addExample(operation, name);
      operation.responses = successOf(operation, note, answers, schemas);
      operation.operationId = note.id;
      describeOperation(operation, note, credentialOf(path), schemas);
    }
  }
  if (unused.size > 0) throw new Error(`notes of operations that do not exist: ${[...unused].join(', ')}`);
  const tags = [...new Set(Object.values(notes).map(({ tag }) => tag))];
  return { ...document, tags: tags.map((name) => ({ name })) };
};

const credentialOf = (path: string): string | undefined => Object.entries(CREDENTIALS).find(([prefix]) => path.startsWith(prefix))?.[1];

const describeOperation = (operation: Operation, note: OperationNote, credential: string | undefined, schemas: NamedSchemas): void => {
  operation.tags = [note.tag];
  operation.summary = note.summary;
  const description = note.description ?? operation.description;
  if (description !== undefined) operation.description = description;
  if (note.deprecated) operation.deprecated = true;
  // An empty list says that none is needed; without it a reader cannot tell that from an oversight.
  operation.security = credential === undefined || credential === NO_SCHEME || note.needsNoCredential ? [] : securityOf(credential);
  const parameters = [
    ...(note.headers ?? []).map((header) => parameter('header', header)),
    ...(note.query ?? []).map((query) => parameter('query', query)),
  ];
  const named = new Set(parameters.map(({ name }) => name.toLowerCase()));
  const known = (operation.parameters ?? []).filter((entry) => !('name' in entry) || !named.has(entry.name.toLowerCase()));
  operation.parameters = [...known.map(optionalWithDefault).map(idAsUuid), ...parameters].map((each) => withNamedValues(each, note.id, schemas));
  operation.responses = {
    ...(note.carriesOut ? CARRIED_OUT : note.streams ? STREAMED : operation.responses),
    ...(note.critical && waitsForApproval(schemas)),
    ...errorResponses(operation, note, credential),
  };
};

const STREAMED: Responses = {
  '200': { description: 'The events, as they happen.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
};

const addExample = ({ requestBody }: Operation, name: string): void => {
  const body = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (!body) return;
  const example = REQUEST_EXAMPLES[name];
  if (!example) throw new Error(`${name} has no example in apps/standalone/src/open-api/request-examples.ts`);
  body.example = example;
};

/** The swagger plugin takes a field with a default for a required one. */
const optionalWithDefault = (entry: NonNullable<Operation['parameters']>[number]) =>
  'schema' in entry && entry.schema && 'default' in entry.schema ? { ...entry, required: false } : entry;

/** Ids in paths are UUIDs; another text is answered as an unknown id. */
const idAsUuid = (entry: NonNullable<Operation['parameters']>[number]) =>
  'in' in entry && entry.in === 'path' && entry.name.endsWith('Id') ? { ...entry, schema: { type: 'string', format: 'uuid' } } : entry;

/** A choice of several values has a name. */
const withNamedValues = (entry: NonNullable<Operation['parameters']>[number], id: string, schemas: NamedSchemas) =>
  'schema' in entry && entry.schema && 'enum' in entry.schema && (entry.schema.enum ?? []).length > 1
    ? { ...entry, schema: schemas.part(entry.schema, `${id}.${entry.name}`) }
    : entry;

const securityOf = (credential: string) => [{ [credential]: [] }, ...(credential === CLIENT ? [{ [CLIENT_ASSERTION]: [] }] : [])];

const parameter = (place: 'header' | 'query', { name, description, required = false, example, limits }: Parameter) => ({
  name,
  in: place,
  required,
  description,
  schema: { type: 'string', ...limits },
  ...(example !== undefined && { example }),
});

const successOf = (
  { operationId = '', responses }: Operation,
  { id, answer }: OperationNote,
  answers: AnswerSchemas,
  schemas: NamedSchemas,
): Responses => {
  const schema = answers.get(operationId);
  if (schema ? answer === undefined : answer !== undefined) throw new Error(`${id}: an answer with a body has a name in its note, and no other`);
  const success =
    schema && answer !== undefined
      ? { description: 'Success.', content: { 'application/json': { schema: schemas.named(answer, schema) } } }
      : { description: 'Success, without a body.' };
  return Object.fromEntries(
    Object.keys(responses)
      .filter((status) => status.startsWith('2'))
      .map((status) => [status, success]),
  );
};

/** The errors by status, each with its codes. */
const errorResponses = (operation: Operation, { errors = [], readsBody = false }: OperationNote, credential: string | undefined): Responses => {
  const hasQuery = (operation.parameters ?? []).some((each) => 'in' in each && each.in === 'query');
  const general: ErrorCode[] = [...(operation.requestBody || hasQuery ? (['invalid_request'] as const) : []), 'service_unavailable'];
  const missing = credential === undefined ? [] : (UNAUTHENTICATED[credential] ?? []);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...general, ...errors, ...missing])) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const described = [...byStatus].map(([status, codes]) => [String(status), errorResponse(codes)] as const);
  const unread = operation.requestBody || readsBody ? UNREAD_BODIES : [];
  const basic = credential === CLIENT ? [['401', WRONG_CREDENTIALS] as const] : [];
  return Object.fromEntries<Responses[string]>([...basic, ...described, ...unread]);
};

/** The answer to a person of the portal whose change waits for the phone. */
const waitsForApproval = (schemas: NamedSchemas): Responses => ({
  '202': {
    description: 'To a person of the portal: the change waits for an approval on the phone. Nothing has changed yet.',
    content: { 'application/json': { schema: schemas.named('WaitingApproval', WAITING_APPROVAL) } },
  },
});

/** The answers of the changes that can be carried out. */
const CARRIED_OUT: Responses = {
  '200': { description: 'As the change answers.', content: { 'application/json': { schema: {} } } },
  '201': { description: 'As the change answers.', content: { 'application/json': { schema: {} } } },
  '204': { description: 'As the change answers, without a body.' },
};

const WRONG_CREDENTIALS = {
  description: 'The credentials are missing or wrong. The body is empty.',
  headers: { 'Retry-After': { description: 'Seconds. Only after too many failures from one address.', schema: { type: 'integer', minimum: 1 } } },
} as const;

const errorResponse = (codes: readonly ErrorCode[]) => ({
  [ERROR_CODES]: codes,
  description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].text}`).join(' '),
  content: { 'application/json': { schema: referenceTo(ERROR_ANSWER) } },
});

/** A body that is refused before it is read, where the operation has one (specification/conventions.md#request-bodies). */
const UNREAD_BODIES = [
  ['413', { ...errorResponse(['invalid_request']), description: '`invalid_request`: the body is larger than 64 KiB.' }],
  ['415', { ...errorResponse(['invalid_request']), description: '`invalid_request`: the body is not JSON by its content type, or is coded.' }],
] as const;
