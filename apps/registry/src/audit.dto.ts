import { IsIn } from 'class-validator';

import { Optional, QueryNumber } from '#service/http';

import { LimitDto } from './limit.dto.js';

/** The query of the audit trail. */
export class AuditDto extends LimitDto {
  /** `next` of the previous page: only entries before this sequence. */
  @QueryNumber(0)
  readonly after?: number;

  /** `true`: with the proof of each entry, and the checkpoint that they are of. */
  @Optional()
  @IsIn(['true', 'false'], { message: '`proofs` must be true or false.' })
  readonly proofs?: 'true' | 'false';
}
