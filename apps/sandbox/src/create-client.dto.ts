import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';

import { Optional } from '#service/http';

import { ClientSettingsDto, NAME, URIS } from '../../registry/src/client-settings.dto.js';
import { StringList } from '../../registry/src/string-list.js';

/** What is absent is as with the client of every sandbox. */
export class CreateClientDto extends ClientSettingsDto {
  /** The name that people see on their phone: 3 to 64 characters, unique. Default: one that is free. */
  @ApiPropertyOptional(NAME)
  @Optional()
  @IsString()
  readonly name?: string;

  /** https, or http on loopback. A session's redirect URI must equal one of them exactly. */
  @ApiProperty(URIS)
  @StringList()
  readonly redirect_uris!: string[];
}
