import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema of the document. */
export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** A named schema, where it is used. */
export type Reference = Extract<Schema, { $ref: string }>;
