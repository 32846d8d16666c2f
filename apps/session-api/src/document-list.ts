import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';

import { MAX_DOCUMENTS } from '#signatures/asic';
import type { SessionDocument } from '#domain/session';

import { SHA512_HEX, SHA512_RULE } from './sha512-hex.js';

/** `documents` in the OpenAPI document. */
export const DOCUMENTS: ApiPropertyOptions = {
  required: false,
  type: 'array',
  minItems: 1,
  maxItems: MAX_DOCUMENTS,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'hash'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255, description: 'The name of the document in the container.' },
      hash: { type: 'string', pattern: SHA512_HEX.source, description: 'SHA-512 of the document, in hex.' },
      size: {
        type: ['integer', 'null'],
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The size of the document in bytes, shown beside its name.',
      },
    },
  },
};

/** A list of 1 to 50 documents, each `{name, hash, size?}`. `#domain/session` checks the names. */
export const DocumentList = (): PropertyDecorator =>
  ValidateBy({
    name: 'documentList',
    validator: {
      validate: (value: unknown) => faultIn(value) === undefined,
      defaultMessage: (of?: ValidationArguments) => faultIn(of?.value) ?? '',
    },
  });

/** The documents of a checked list in the words of the domain. A size that is null counts as absent. */
export const documentsIn = (documents: readonly SessionDocument[]): readonly SessionDocument[] =>
  documents.map(({ name, hash, size }) => ({ name, hash, ...(typeof size === 'number' && { size }) }));

const FIELDS: Readonly<Record<string, { readonly holds: (value: unknown) => boolean; readonly rule: string }>> = {
  name: { holds: (value) => typeof value === 'string', rule: 'must be a string' },
  hash: { holds: (value) => typeof value === 'string' && SHA512_HEX.test(value), rule: SHA512_RULE },
  size: {
    holds: (value) => value === undefined || value === null || (Number.isSafeInteger(value) && (value as number) >= 0),
    rule: 'must be a whole number from 0 on',
  },
};

const faultIn = (value: unknown): string | undefined => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DOCUMENTS)
    return `documents must be a list of 1 to ${MAX_DOCUMENTS} documents`;
  for (const [at, document] of value.entries()) {
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return `documents[${at}] must be an object`;
    if (Object.keys(document as object).some((field) => !Object.hasOwn(FIELDS, field)))
      return `documents[${at}] holds a field other than name, hash and size`;
    const wrong = Object.entries(FIELDS).find(([field, { holds }]) => !holds((document as Record<string, unknown>)[field]));
    if (wrong) return `documents[${at}].${wrong[0]} ${wrong[1].rule}`;
  }
  return undefined;
};
