import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, IsUUID, Matches, Max, Min } from 'class-validator';

import { CodePoints, MaxCodePoints, NoControlCharacters, Optional, WellFormedText } from '#service/http';
import { LONGEST_PROPERTIES, PKCE_VALUE, type SessionDocument, type SessionRequest } from '#domain/session';

import { DocumentList, DOCUMENTS, documentsIn } from './document-list.js';
import { Sha512Hex } from './sha512-hex.js';

/** The body of POST session (specification/relying-party.md#post-session). `#domain/session` checks the rules between the fields. */
export class CreateSessionDto {
  /** Must exactly match a registered URI. */
  @Optional()
  @IsString()
  @MaxCodePoints(2000)
  readonly redirect_uri?: string;

  /** Returned unchanged with the redirect. */
  @Optional()
  @IsString()
  @MaxCodePoints(500)
  @WellFormedText()
  readonly state?: string;

  @IsIn(['AUTHENTICATION', 'SIGNING'])
  readonly signature_type!: 'AUTHENTICATION' | 'SIGNING';

  /** RFC 7636 section 4.2: base64url, without padding, of the SHA-256 of the code_verifier's characters. */
  @Optional()
  @Matches(PKCE_VALUE, { message: 'must be 43 to 128 characters from A-Z a-z 0-9 - . _ ~' })
  readonly code_challenge?: string;

  @Optional()
  @IsIn(['S256'])
  readonly code_challenge_method?: string;

  /** SHA-512 of the data, in hex. */
  @Optional()
  @Sha512Hex()
  readonly signed_data_hash?: string;

  /** The name of the data in the container. */
  @Optional()
  @IsString()
  @CodePoints(1, 255)
  @NoControlCharacters()
  @WellFormedText()
  readonly signed_data_name?: string;

  /** The size of the data in bytes, shown beside its name. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly signed_data_size?: number;

  /** Several documents under one PIN, in place of the three fields for one. */
  @Optional()
  @DocumentList()
  @ApiProperty(DOCUMENTS)
  readonly documents?: readonly SessionDocument[];

  /** Shown to the user, labelled as coming from the client. */
  @Optional()
  @IsString()
  @MaxCodePoints(255)
  @NoControlCharacters()
  @WellFormedText()
  readonly title?: string;

  /** Restricts the session to one subject. */
  @Optional()
  @IsUUID()
  readonly subject_id?: string;

  /** Sends the session to the subject's devices. Requires subject_id. */
  @Optional()
  @IsBoolean()
  readonly push?: boolean;

  /** base64url, without padding, of `{"attributes": [...], "predicates": [...]}`. */
  @ApiPropertyOptional({ pattern: '^[A-Za-z0-9_-]*$', maxLength: Math.ceil((LONGEST_PROPERTIES * 4) / 3) })
  @Optional()
  @IsString()
  @IsNotEmpty()
  readonly properties?: string;

  /** Issues a handoff token for the hosted login page. */
  @Optional()
  @IsBoolean()
  readonly hosted_page?: boolean;

  /** The token answer carries `evidence` of the login, which you can keep and verify. */
  @Optional()
  @IsBoolean()
  readonly evidence?: boolean;
}

/** The body in the words of the domain. */
export const sessionRequestOf = (body: CreateSessionDto): SessionRequest => ({
  redirectUri: body.redirect_uri,
  state: body.state,
  signatureType: body.signature_type,
  codeChallenge: body.code_challenge,
  codeChallengeMethod: body.code_challenge_method,
  signedDataHash: body.signed_data_hash,
  signedDataName: body.signed_data_name,
  signedDataSize: body.signed_data_size,
  documents: body.documents && documentsIn(body.documents),
  title: body.title,
  subjectId: body.subject_id,
  push: body.push,
  properties: body.properties,
  hostedPage: body.hosted_page,
  evidence: body.evidence,
});
