import { PickType } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';

import { CreateSessionDto } from './create-session.dto.js';
import { Sha512Hex } from './sha512-hex.js';

/** The body of legacy push signing: some of the fields of POST session (specification/relying-party.md#post-create-signing-request). */
export class CreateSigningRequestDto extends PickType(CreateSessionDto, ['signed_data_name', 'title'] as const) {
  @IsUUID()
  readonly subject_id!: string;

  /** SHA-512 of the data, in hex. */
  @Sha512Hex()
  readonly signed_data_hash!: string;
}
