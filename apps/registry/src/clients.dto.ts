import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';

import type { ClientTerms } from '#domain/relying-party';
import { Optional } from '#service/http';

import { ClientSettingsDto, clientSettingsOf, NAME, URIS } from './client-settings.dto.js';
import { StringList } from './string-list.js';

/** The body of `POST /clients`. `libs/domain/relying-party` checks the values. */
export class RegisterClientDto extends ClientSettingsDto {
  /** The name that people see on their phone: 3 to 64 characters, unique. */
  @ApiProperty(NAME)
  @IsString()
  readonly name!: string;

  /** https, or http on loopback. A session's redirect URI must equal one of them exactly. */
  @ApiProperty(URIS)
  @StringList()
  readonly redirect_uris!: string[];
}

/** The body of `PATCH /clients/{clientId}`. Absent members stay unchanged. */
export class ChangeClientDto extends ClientSettingsDto {
  /** The name that people see on their phone: 3 to 64 characters, unique. */
  @ApiPropertyOptional(NAME)
  @Optional()
  @IsString()
  readonly name?: string;

  /** https, or http on loopback. A session's redirect URI must equal one of them exactly. */
  @ApiPropertyOptional(URIS)
  @Optional()
  @StringList()
  readonly redirect_uris?: string[];
}

export const newClientTermsOf = (body: RegisterClientDto): ClientTerms => ({
  redirectUris: [],
  allowedAttributes: [],
  allowedPredicates: [],
  dynamicQr: false,
  ...changedClientTermsOf(body),
  name: body.name,
});

export const changedClientTermsOf = (body: ChangeClientDto): Partial<ClientTerms> => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
  ...clientSettingsOf(body),
});
