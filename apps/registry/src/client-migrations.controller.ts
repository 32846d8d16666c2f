import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { ListSubjectMigrations } from '#domain/identity';
import { type ClientId, epochSeconds, type SubjectId } from '#kernel';
import { ClientNotFound, FindClient } from '#domain/relying-party';

import { ClientIdParam } from './clients.controller.js';
import { PageDto } from './page.dto.js';
import { pageRequest } from './page.js';

interface MigrationPage {
  /** Epoch seconds, as `endsAt`. Both are absent while no accounts have to be migrated. */
  readonly changesAt?: number;
  readonly endsAt?: number;
  readonly subjects: readonly { readonly formerSubjectId: string; readonly subjectId: string }[];
  /** The value of `after` that returns the next page. Absent on the last page. */
  readonly next?: string;
}

/** The same list that the client gets with its secret (specification/relying-party.md#get-subject-migrations), for its members. */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/subject-migrations')
export class ClientMigrationsController {
  constructor(
    private readonly findClient: FindClient,
    private readonly listSubjectMigrations: ListSubjectMigrations,
  ) {}

  @Get()
  async list(@ClientIdParam() clientId: ClientId, @Query() page: PageDto): Promise<MigrationPage> {
    if (!(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
    const { changesAt, endsAt, subjects, next } = await this.listSubjectMigrations.execute(clientId, pageRequest<SubjectId>(page));
    return {
      ...(changesAt !== undefined && { changesAt: epochSeconds(changesAt) }),
      ...(endsAt !== undefined && { endsAt: epochSeconds(endsAt) }),
      subjects: subjects.map((pair) => ({ formerSubjectId: pair.former, subjectId: pair.next })),
      ...(next !== undefined && { next }),
    };
  }
}
