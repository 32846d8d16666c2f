import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { Route } from '#service/http';
import { FindPerson, IdentityNotFound, type ListedIdentity, ReadPersonalData } from '#domain/identity';
import type { IdentityId } from '#kernel';

import { IdentityIdParam } from './identities.controller.js';
import { FindPersonDto } from './identities.dto.js';

/** One person at a time. Both calls are POST: they go on the audit trail, and no personal code stands in an address. */
@ApiBearerAuth('admin')
@Controller('admin/v1/identities')
export class PersonsController {
  constructor(
    private readonly findPerson: FindPerson,
    private readonly readPersonalData: ReadPersonalData,
  ) {}

  @Post('search')
  @HttpCode(200)
  async find(@Body() { country, personal_code }: FindPersonDto): Promise<{ identityId: string }> {
    return { identityId: await this.findPerson.execute({ country, personalCode: personal_code }) };
  }

  @Post(':identityId/opening')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async open(@IdentityIdParam() identityId: IdentityId): Promise<ListedIdentity> {
    const person = await this.readPersonalData.execute(identityId);
    if (!person) throw new IdentityNotFound('unknown or erased');
    return { identityId, ...person };
  }
}
