import { PickType } from '@nestjs/swagger';
import { IsUUID, Matches } from 'class-validator';

import { CreateSessionDto } from './create-session.dto.js';

/** The body of legacy push signing: some of the fields of POST session (specification/relying-party.md#post-create-signing-request). */
export class CreateSigningRequestDto extends PickType(CreateSessionDto, ['signed_data_name', 'title'] as const) {
  @IsUUID()
  readonly subject_id!: string;

  /** SHA-512 of the data, in hex. */
  @Matches(/^[0-9a-fA-F]{128}$/, { message: 'must be 128 hex characters' })
  readonly signed_data_hash!: string;
}
