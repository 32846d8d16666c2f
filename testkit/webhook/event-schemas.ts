import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';

const FOLDER = join(import.meta.dirname, '../../docs/schemas');

/**
 * What a relying party or a consumer finds wrong with a message by its published JSON Schema, a line each.
 *
 * @param name a file of `docs/schemas`: `webhooks/session.completed`
 * @throws Error for an event that has no schema
 */
export const schemaFaults = (name: string, value: unknown): readonly string[] => {
  // The schemas have patterns beside their formats, and parts of `allOf` that say no type.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as object);
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
