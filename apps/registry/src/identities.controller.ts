import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { PathId, Route } from '#http';
import { EraseIdentity, IdentityNotFound, type ListedIdentity, ListIdentities, RegisterIdentity } from '#identity';
import type { IdentityId } from '#kernel';

import { RegisterIdentityDto } from './identities.dto.js';
import { PageDto } from './page.dto.js';
import { pageRequest } from './page.js';

export const IdentityIdParam = (): ParameterDecorator => Param('identityId', new PathId(() => new IdentityNotFound('no UUID')));

interface IdentityPage {
  readonly identities: readonly ListedIdentity[];
  /** Ask the next page with it as `after`; absent on the last one. */
  readonly next?: string;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/identities')
export class IdentitiesController {
  constructor(
    private readonly registerIdentity: RegisterIdentity,
    private readonly listIdentities: ListIdentities,
    private readonly eraseIdentity: EraseIdentity,
  ) {}

  @Post()
  async register(@Body() body: RegisterIdentityDto): Promise<{ identityId: string }> {
    const identityId = await this.registerIdentity.execute({
      givenName: body.given_name,
      familyName: body.family_name,
      personalCode: body.personal_code,
      dateOfBirth: body.date_of_birth,
      country: body.country,
      ...(body.email !== undefined && { email: body.email }),
      ...(body.phone_number !== undefined && { phoneNumber: body.phone_number }),
    });
    return { identityId };
  }

  @Get()
  async list(@Query() page: PageDto): Promise<IdentityPage> {
    const { entries, ...next } = await this.listIdentities.execute(pageRequest<IdentityId>(page));
    return { identities: entries, ...next };
  }

  /** Erases the person's data for good. */
  @Delete(':identityId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  erase(@IdentityIdParam() identityId: IdentityId): Promise<void> {
    return this.eraseIdentity.execute(identityId);
  }
}
