import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import type { Administrator } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import {
  EraseIdentity,
  type ErasureProof,
  IdentityNotFound,
  type ListedIdentity,
  ListIdentities,
  ProveErasure,
  RegisterIdentity,
} from '#domain/identity';
import { epochSeconds, type IdentityId } from '#kernel';

import { personalDataOf, RegisterIdentityDto } from './identities.dto.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';

export const IdentityIdParam = (): ParameterDecorator => Param('identityId', new PathId(() => new IdentityNotFound('no UUID')));

/** Times in epoch seconds. */
interface ShownProof extends Omit<ErasureProof, 'erasedAt' | 'checkedAt' | 'events'> {
  /** Epoch seconds. */
  readonly erasedAt: number;
  /** When the proof read the streams and the read model. Epoch seconds. */
  readonly checkedAt: number;
  readonly events: readonly (Omit<ErasureProof['events'][number], 'at'> & {
    /** Epoch seconds. */
    readonly at: number;
  })[];
}

interface IdentityPage extends Paged {
  readonly identities: readonly ListedIdentity[];
}

@ApiBearerAuth('admin')
@Controller('admin/v1/identities')
export class IdentitiesController {
  constructor(
    private readonly registerIdentity: RegisterIdentity,
    private readonly listIdentities: ListIdentities,
    private readonly eraseIdentity: EraseIdentity,
    private readonly proveErasure: ProveErasure,
  ) {}

  @Post()
  async register(@Body() body: RegisterIdentityDto): Promise<{ identityId: string }> {
    return { identityId: await this.registerIdentity.execute(personalDataOf(body)) };
  }

  @Get()
  async list(@Query() page: PageDto): Promise<IdentityPage> {
    const { entries, ...next } = await this.listIdentities.execute(pageRequest<IdentityId>(page));
    return { identities: entries, ...next };
  }

  /** Erases the person's data permanently. */
  @Delete(':identityId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  erase(@IdentityIdParam() identityId: IdentityId, @Principal() { id }: Administrator): Promise<void> {
    return this.eraseIdentity.execute(identityId, id);
  }

  /** What shows that the person was erased (specification/admin.md#proof-of-an-erasure). */
  @Get(':identityId/erasure')
  async proof(@IdentityIdParam() identityId: IdentityId): Promise<ShownProof> {
    const proof = await this.proveErasure.execute(identityId);
    const events = proof.events.map((event) => ({ ...event, at: epochSeconds(event.at) }));
    return { ...proof, erasedAt: epochSeconds(proof.erasedAt), checkedAt: epochSeconds(proof.checkedAt), events };
  }
}
