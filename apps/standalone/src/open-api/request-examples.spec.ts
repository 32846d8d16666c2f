import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { REQUEST_EXAMPLES } from './request-examples.js';

interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: Body }>>>>;
}

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string }; readonly example?: object } };
}

const reference = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as Reference;

const bodies = Object.entries(reference.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) =>
    requestBody ? [[`${method.toUpperCase()} ${path}`, requestBody.content['application/json']] as const] : [],
  ),
);

describe('the examples of the reference', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(reference, 'reference');

  it.each(bodies)('%s has one, which its schema accepts', (operation, { schema, example }) => {
    expect(example).toEqual(REQUEST_EXAMPLES[operation]);
    const validate = ajv.getSchema(`reference${schema.$ref}`)!;
    expect([validate(example), validate.errors]).toEqual([true, null]);
  });
});
