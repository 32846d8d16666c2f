import { IsIn, IsUUID } from 'class-validator';

import { Optional, QueryNumber } from '#service/http';
import { type ClientId, parseId } from '#kernel';
import type { SessionSearch } from '#domain/session';

import { PageDto } from './page.dto.js';

const STATUSES = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;
const TYPES = ['AUTHENTICATION', 'SIGNING'] as const;
const known = (values: readonly string[]) => ({ message: `\`$property\` must be one of ${values.join(', ')}.` });

/** In seconds, so that the milliseconds are a safe integer. */
const LATEST = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** The query of the list of sessions. Each member narrows it. */
export class SessionsDto extends PageDto {
  @Optional()
  @IsUUID('loose')
  readonly client_id?: string;

  @Optional()
  @IsIn(STATUSES, known(STATUSES))
  readonly status?: (typeof STATUSES)[number];

  @Optional()
  @IsIn(TYPES, known(TYPES))
  readonly signature_type?: (typeof TYPES)[number];

  /** Only sessions that were created then or later, epoch seconds. */
  @QueryNumber(0, LATEST)
  readonly since?: number;

  /** Only sessions that were created before, epoch seconds. */
  @QueryNumber(0, LATEST)
  readonly until?: number;
}

export const sessionSearchOf = ({ client_id, status, signature_type, since, until }: SessionsDto): SessionSearch => ({
  clientId: parseId<ClientId>(client_id),
  status,
  signatureType: signature_type,
  since: since === undefined ? undefined : since * 1000,
  until: until === undefined ? undefined : until * 1000,
});
