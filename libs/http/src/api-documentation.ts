import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';

/** One OpenAPI document of all apps. */
export const openApiDocument = (apps: readonly NestFastifyApplication[], baseUrl: string): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle('Countersign')
    .setDescription('Log a user in, or have a user sign a document, by an approval on the phone.')
    .setVersion('1')
    .addServer(baseUrl)
    .addBasicAuth({ type: 'http', scheme: 'basic' }, 'client')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'admin')
    .build();
  const documents = apps.map((app) => SwaggerModule.createDocument(app, config));
  return documents.reduce((all, { paths, components }) => ({
    ...all,
    paths: { ...all.paths, ...paths },
    components: { ...all.components, schemas: { ...all.components?.schemas, ...components?.schemas } },
  }));
};

/** Serves the document at `/openapi.json`, and Swagger UI at `/docs`, from its package and without other origins. */
export const serveApiDocumentation = async (fastify: FastifyInstance, document: OpenAPIObject): Promise<void> => {
  const body = JSON.stringify(document);
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  fastify.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  fastify.get('/docs', (_request, reply) => reply.redirect('/docs/', 308));
  fastify.get('/docs/swagger-initializer.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(INITIALIZER));
  await fastify.register(fastifyStatic, { root: swaggerUi, prefix: '/docs/' });
};

const INITIALIZER = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;
