import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsString } from 'class-validator';

import { ADMIN_ROLES, type AdminRole, INVITATION_LABEL, TEAM_ROLES, type TeamRole } from '#domain/administration';
import { Optional } from '#service/http';

class InvitationDto {
  /** 3 to 64 of a-z 0-9 . _ -; names a post, not a person. */
  @ApiProperty({ pattern: INVITATION_LABEL.source })
  @IsString()
  readonly label!: string;
}

const TEAM_ROLE_TEXT = `\`role\` must be one of ${TEAM_ROLES.join(', ')}.`;

const STAFF_ROLE = { each: true, message: `each of \`roles\` must be one of ${ADMIN_ROLES.join(', ')}.` };

const StaffRoles = (): PropertyDecorator =>
  applyDecorators(IsIn(ADMIN_ROLES, STAFF_ROLE), ArrayUnique(), ArrayMaxSize(4), ArrayNotEmpty(), IsArray());

export class InviteMemberDto extends InvitationDto {
  /** Default: `owner` where the team has none, else `viewer`. */
  @Optional()
  @IsIn(TEAM_ROLES, { message: TEAM_ROLE_TEXT })
  readonly role?: TeamRole;
}

export class ChangeMemberDto {
  @IsIn(TEAM_ROLES, { message: TEAM_ROLE_TEXT })
  readonly role!: TeamRole;
}

export class ChangeStaffDto {
  /** The rights that the person has from now on. */
  @StaffRoles()
  readonly roles!: readonly AdminRole[];
}

export class InviteStaffDto extends InvitationDto {
  /** The rights that the person will have. */
  @StaffRoles()
  readonly roles!: readonly AdminRole[];
}
