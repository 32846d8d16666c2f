import { Controller, Delete, Get, HttpCode } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type Administrator, BreakGlassRequests } from '#domain/administration';
import { Principal, Route } from '#service/http';
import { epochSeconds } from '#kernel';

interface ShownBreakGlass {
  readonly breakGlass?: {
    /** `ASKED`: a service has not seen it yet. `WAITING`: every member of the staff can stop it. `OPEN`: the command can be run again. */
    readonly status: 'ASKED' | 'WAITING' | 'OPEN';
    /**
     * The person who is to have `security`.
     *
     * @format uuid
     */
    readonly identityId: string;
    /** Epoch seconds. */
    readonly noticedAt?: number;
  };
}

/** The way back when no person with `security` can act (specification/admin.md#break-glass). */
@ApiBearerAuth('admin')
@Controller('admin/v1/break-glass')
export class BreakGlassController {
  constructor(private readonly requests: BreakGlassRequests) {}

  @Get()
  async show(): Promise<ShownBreakGlass> {
    const found = await this.requests.find();
    if (found.status === 'NONE') return {};
    const { status, identityId, noticedAt } = found;
    return { breakGlass: { status, identityId, ...(noticedAt !== undefined && { noticedAt: epochSeconds(noticedAt) }) } };
  }

  /** Each person of the staff can stop it; a token that was lost cannot stand in the way. */
  @Delete()
  @HttpCode(204)
  @Route({ ignoreBody: true })
  stop(@Principal() { id }: Administrator): Promise<void> {
    return this.requests.stop(id);
  }
}
