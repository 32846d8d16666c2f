import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsIn, IsInt, IsString, IsUUID, Max, Min } from 'class-validator';

import { ADMIN_ROLES, type AdminRole, TOKEN_NAME } from '#domain/administration';
import { Optional } from '#service/http';

import { StringList } from './string-list.js';

/** The end of the year 9999, so that a time in milliseconds is refused. */
const LATEST = 253_402_300_799;

export class AddAdminTokenDto {
  /** 3 to 64 of a-z 0-9 . _ -; names a machine or a post, not a person. */
  @ApiProperty({ pattern: TOKEN_NAME.source })
  @IsString()
  readonly name!: string;

  @IsIn(ADMIN_ROLES, { message: `\`role\` must be one of ${ADMIN_ROLES.join(', ')}.` })
  readonly role!: AdminRole;

  /** The routes of the role that its holder may call, each as `GET /admin/v1/clients/:clientId`. Default: all of the role but the critical ones, which have to be named. */
  @Optional()
  @StringList()
  @ArrayNotEmpty()
  @ArrayUnique()
  @ArrayMaxSize(100)
  readonly routes?: string[];

  /** The relying parties that its holder may call them for. Then it has no route that is not about one relying party. Default: all. */
  @Optional()
  @StringList()
  @ArrayNotEmpty()
  @ArrayUnique()
  @ArrayMaxSize(100)
  @IsUUID('all', { each: true })
  readonly clients?: string[];

  /** The end of the token, epoch seconds; at most 400 days ahead. */
  @IsInt()
  @Min(1)
  @Max(LATEST)
  readonly expires_at!: number;
}
