import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';

import { ADMIN_ROLES, type AdminRole, TOKEN_NAME } from '#domain/administration';

/** The end of the year 9999, so that a time in milliseconds is refused. */
const LATEST = 253_402_300_799;

export class AddAdminTokenDto {
  /** 3 to 64 of a-z 0-9 . _ -; names a machine or a post, not a person. */
  @ApiProperty({ pattern: TOKEN_NAME.source })
  @IsString()
  readonly name!: string;

  @IsIn(ADMIN_ROLES, { message: `\`role\` must be one of ${ADMIN_ROLES.join(', ')}.` })
  readonly role!: AdminRole;

  /** The end of the token, epoch seconds; at most 400 days ahead. */
  @IsInt()
  @Min(1)
  @Max(LATEST)
  readonly expires_at!: number;
}
