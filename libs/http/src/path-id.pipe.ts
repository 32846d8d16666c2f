import type { PipeTransform } from '@nestjs/common';

import { type ClientId, type DomainError, parseId } from '#kernel';

/**
 * An id in a path: `@Param('sessionId', new PathId(() => new SessionNotFound('no UUID')))`. What is no UUID
 * cannot name anything, so it is answered like an unknown id.
 */
export class PathId implements PipeTransform<string, string> {
  constructor(private readonly notFound: () => DomainError) {}

  transform(text: string): string {
    const id = parseId<ClientId>(text);
    if (!id) throw this.notFound();
    return id;
  }
}
