import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import { Principal, Route } from '#service/http';
import { FindPerson, IdentityNotFound, type ListedIdentity, ReadPersonalData } from '#domain/identity';
import { type IdentityId, InvalidRequest } from '#kernel';

import { opensWithoutReason } from './admin-rights.js';
import { IdentityIdParam } from './identities.controller.js';
import { FindPersonDto } from './identities.dto.js';
import { openingReasonIn } from './opening-reason.js';
import { PersonOpenings } from './person-openings.js';

/** One person at a time. Both calls are POST: they go on the audit trail, and no personal code stands in an address. */
@ApiBearerAuth('admin')
@Controller('admin/v1/identities')
export class PersonsController {
  constructor(
    private readonly findPerson: FindPerson,
    private readonly readPersonalData: ReadPersonalData,
    private readonly openings: PersonOpenings,
  ) {}

  @Post('search')
  @HttpCode(200)
  async find(@Body() { country, personal_code }: FindPersonDto, @Principal() caller: Administrator): Promise<{ identityId: string }> {
    await this.openings.opened(caller);
    return { identityId: await this.findPerson.execute({ country, personalCode: personal_code }) };
  }

  @Post(':identityId/opening')
  @HttpCode(200)
  @Route({ optionalBody: true })
  async open(
    @IdentityIdParam() identityId: IdentityId,
    @Principal() caller: Administrator,
    @Req() { body }: FastifyRequest,
  ): Promise<ListedIdentity> {
    if (openingReasonIn(body) === undefined && !opensWithoutReason(caller.roles))
      throw new InvalidRequest('`reason` is required: the case or the ticket for which the data is opened.');
    await this.openings.opened(caller);
    const person = await this.readPersonalData.execute(identityId);
    if (!person) throw new IdentityNotFound('unknown or erased');
    return { identityId, ...person };
  }
}
