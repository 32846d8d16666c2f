import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { ListSubjectMigrations, type ShownMigrations, shownMigrations } from '#domain/identity';
import type { ClientId, SubjectId } from '#kernel';
import { ClientNotFound, FindClient } from '#domain/relying-party';

import { ClientIdParam } from './clients.controller.js';
import { PageDto } from './page.dto.js';
import { pageRequest } from './page.js';

/** The same list that the client gets with its secret (specification/relying-party.md#get-subject-migrations), for its members. */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/subject-migrations')
export class ClientMigrationsController {
  constructor(
    private readonly findClient: FindClient,
    private readonly listSubjectMigrations: ListSubjectMigrations,
  ) {}

  @Get()
  async list(@ClientIdParam() clientId: ClientId, @Query() page: PageDto): Promise<ShownMigrations> {
    if (!(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
    return shownMigrations(await this.listSubjectMigrations.execute(clientId, pageRequest<SubjectId>(page)));
  }
}
