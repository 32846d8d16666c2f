import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsString } from 'class-validator';

import { ADMIN_ROLES, type AdminRole, INVITATION_LABEL } from '#domain/administration';

export class InviteMemberDto {
  /** 3 to 64 of a-z 0-9 . _ -; names a post, not a person. */
  @ApiProperty({ pattern: INVITATION_LABEL.source })
  @IsString()
  readonly label!: string;
}

export class InviteStaffDto extends InviteMemberDto {
  /** The rights that the person will have. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(4)
  @ArrayUnique()
  @IsIn(ADMIN_ROLES, { each: true, message: `each of \`roles\` must be one of ${ADMIN_ROLES.join(', ')}.` })
  readonly roles!: readonly AdminRole[];
}
