import { Controller, Get, Query } from '@nestjs/common';

import { Principal } from '#service/http';
import { ListSubjectMigrations, type ShownMigrations, shownMigrations } from '#domain/identity';
import { parseId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { SubjectMigrationsDto } from './subject-migrations.dto.js';

@Controller('relying-party/v1/subject-migrations')
export class SubjectMigrationsController {
  constructor(private readonly listSubjectMigrations: ListSubjectMigrations) {}

  @Get()
  async list(@Query() { limit, after }: SubjectMigrationsDto, @Principal() { clientId }: Client): Promise<ShownMigrations> {
    return shownMigrations(await this.listSubjectMigrations.execute(clientId, { limit, after: parseId<SubjectId>(after) }));
  }
}
