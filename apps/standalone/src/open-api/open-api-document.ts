import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

import type { HttpApp } from '#service/http';

import type { AnswerSchemas } from './answer-schemas.js';
import { ERROR_ANSWER, errorAnswer } from './common-answers.js';
import { describeOperations } from './describe-operations.js';
import { withLimits } from './limits.js';
import { NamedSchemas } from './named-schemas.js';
import { namedRequests } from './named-requests.js';
import { withNulls } from './nulls.js';
import { OPERATION_NOTES } from './operation-notes.js';
import { requestClasses } from './request-classes.js';

const DESCRIPTION = `Log a user in, or have a user sign a document, by an approval on the phone.

**Try it.** Choose an operation, fill in the credentials under Authentication and send the request. \`npm start\` prints the \`client_id\` and \`client_secret\` of the demo
client (user name and password) and the admin token. Every error but the 401 of HTTP Basic has the shape \`ErrorAnswer\`; branch on its \`errorCode\`.

**Another language.** Generate a client from [openapi.relying-party.json](/openapi.relying-party.json), [openapi.device.json](/openapi.device.json) for phone apps or
[openapi.admin.json](/openapi.admin.json): the parts of this reference that generators of code read.

**Stability.** The service is unstable: its endpoints and payloads may change without notice. Both ways to integrate are permanent: a waiting page of your own
(\`POST /relying-party/v1/session\`), and the hosted login page (the same with \`hosted_page\`). The legacy push signature
(\`POST /relying-party/v1/create-signing-request\`) is being retired; where it is switched off it is gone, 410 \`endpoint_retired\`. The earlier hosted flow, in which the
browser carried the OAuth parameters, does not exist here.`;

/**
 * The OpenAPI document of all applications. Its server is relative: the service that serves the document.
 *
 * @param version of the package
 */
export const openApiDocument = (apps: readonly HttpApp[], answers: AnswerSchemas, version: string): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle('Countersign')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setOpenAPIVersion('3.1.0')
    .addServer('/')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'client_id and client_secret.' }, 'client')
    .addSecurity('clientAssertion', {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'In place of the secret: an assertion (RFC 7523) that the client signs with a key of its own, for one call.',
    })
    .addSecurity('admin', { type: 'http', scheme: 'bearer', description: 'The admin token.' })
    .addSecurity('loginCookie', { type: 'apiKey', in: 'cookie', name: 'svc_login', description: 'Set by the claim.' })
    .addSecurity('deviceProof', { type: 'apiKey', in: 'header', name: 'Device-Proof', description: 'A signed proof for each request.' })
    .build();
  const documents = apps.map((app) => SwaggerModule.createDocument(app, config));
  const [first, ...others] = documents;
  if (!first) throw new Error('no applications to describe');
  const paths = Object.assign({}, first.paths, ...others.map((document) => document.paths)) as OpenAPIObject['paths'];
  const described = Object.assign({}, ...documents.map(({ components }) => components?.schemas ?? {})) as Readonly<Record<string, object>>;
  const requests = namedRequests(paths, withLimits(paths, described, new Map(apps.flatMap((app) => [...requestClasses(app)]))));
  const schemas = new NamedSchemas();
  for (const [name, request] of Object.entries(requests)) schemas.named(name, request);
  schemas.named(ERROR_ANSWER, errorAnswer());
  const document = describeOperations({ ...first, paths }, OPERATION_NOTES, answers, schemas);
  return { ...document, components: { ...first.components, schemas: withNulls(schemas.all(), new Set(Object.keys(requests))) } };
};
