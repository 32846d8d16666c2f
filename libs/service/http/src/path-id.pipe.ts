import type { PipeTransform } from '@nestjs/common';

import { type ClientId, type DomainError, parseId } from '#kernel';

/**
 * An id in a path: `@Param('sessionId', new PathId(() => new SessionNotFound('no UUID')))`. A text that is not a UUID is answered as an
 * unknown id.
 */
export class PathId implements PipeTransform<string, string> {
  constructor(private readonly notFound: () => DomainError) {}

  transform(text: string): string {
    const id = parseId<ClientId>(text);
    if (!id) throw this.notFound();
    return id;
  }
}
