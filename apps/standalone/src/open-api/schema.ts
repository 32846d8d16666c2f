import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema of the document. */
export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
