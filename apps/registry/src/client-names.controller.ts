import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type CloseName, FindCloseNames } from '#domain/relying-party';

import { CloseNamesDto } from './client-names.dto.js';

export interface ShownCloseName {
  /**
   * @format uuid
   */
  readonly clientId: string;
  readonly name: string;
  /** From 1 to 100: how easily one name passes for the other. 100: nothing that shows tells them apart, so the name is refused. */
  readonly closeness: number;
  /** What tells the names apart. */
  readonly differences: CloseName['differences'];
}

interface CloseNames {
  /** At most five, the closest first. */
  readonly names: readonly ShownCloseName[];
}

/** The registered names that a wanted one may pass for, before it is registered (specification/admin.md#names-of-clients). */
@ApiBearerAuth('admin')
@Controller('admin/v1/client-names')
export class ClientNamesController {
  constructor(private readonly closeNames: FindCloseNames) {}

  @Get()
  async find(@Query() { near }: CloseNamesDto): Promise<CloseNames> {
    return { names: await this.closeNames.execute(near) };
  }
}
