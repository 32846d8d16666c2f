import { Controller, Get, Query } from '@nestjs/common';

import { Principal } from '#service/http';
import { ListSubjectMigrations } from '#domain/identity';
import { epochSeconds, parseId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { SubjectMigrationsDto } from './subject-migrations.dto.js';

@Controller('relying-party/v1/subject-migrations')
export class SubjectMigrationsController {
  constructor(private readonly listSubjectMigrations: ListSubjectMigrations) {}

  @Get()
  async list(@Query() { limit, after }: SubjectMigrationsDto, @Principal() { clientId }: Client): Promise<object> {
    const page = await this.listSubjectMigrations.execute(clientId, { limit, after: parseId<SubjectId>(after) });
    const { subjects, changesAt, endsAt, next } = page;
    return {
      ...(changesAt !== undefined && { changesAt: epochSeconds(changesAt) }),
      ...(endsAt !== undefined && { endsAt: epochSeconds(endsAt) }),
      subjects: subjects.map((pair) => ({ formerSubjectId: pair.former, subjectId: pair.next })),
      ...(next !== undefined && { next }),
    };
  }
}
