import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { Route } from '#service/http';
import { Projections, type ProjectionStatus } from '#engines/read-model';

interface ProjectionList {
  readonly projections: readonly ProjectionStatus[];
}

@ApiBearerAuth('admin')
@Controller('admin/v1/projections')
export class ProjectionsController {
  constructor(private readonly projections: Projections) {}

  @Get()
  async list(): Promise<ProjectionList> {
    return { projections: await this.projections.list() };
  }

  /** Builds a read model anew from the whole history. Its lists are unavailable meanwhile; logins go on. */
  @Post(':name/rebuild')
  @HttpCode(202)
  @Route({ ignoreBody: true })
  async rebuild(@Param('name') name: string): Promise<{ name: string }> {
    await this.projections.rebuild(name);
    return { name };
  }
}
