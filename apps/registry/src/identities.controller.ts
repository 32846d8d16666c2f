import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

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

import { CriticalChanges } from './critical-changes.js';
import { personalDataOf, RegisterIdentityDto } from './identities.dto.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';
import { PersonLists } from './person-lists.js';
import { PersonsWithPower } from './persons-with-power.js';

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
    private readonly powers: PersonsWithPower,
    private readonly criticalChanges: CriticalChanges,
    private readonly personLists: PersonLists,
  ) {}

  @Post()
  async register(@Body() body: RegisterIdentityDto): Promise<{ identityId: string }> {
    return { identityId: await this.registerIdentity.execute(personalDataOf(body)) };
  }

  @Get()
  async list(@Query() page: PageDto): Promise<IdentityPage> {
    const { entries, ...next } = await this.listIdentities.execute(pageRequest<IdentityId>(page));
    this.personLists.listed(entries.length);
    return { identities: entries, ...next };
  }

  /** Erases the person's data permanently. */
  @Delete(':identityId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async erase(@IdentityIdParam() identityId: IdentityId, @Principal() caller: Administrator, @Req() request: FastifyRequest): Promise<void> {
    const hasPower = await this.powers.require(identityId, caller);
    const title = hasPower ? 'Erase a member of the portal' : 'Erase a person';
    const lines = [`Person: ${identityId}`, 'All data of the person is erased for good.'];
    await this.criticalChanges.require(request, caller, { title, lines, touched: { identity: identityId } });
    return this.eraseIdentity.execute(identityId, caller.id);
  }

  /** What shows that the person was erased (specification/admin.md#proof-of-an-erasure). */
  @Get(':identityId/erasure')
  async proof(@IdentityIdParam() identityId: IdentityId): Promise<ShownProof> {
    const proof = await this.proveErasure.execute(identityId);
    const events = proof.events.map((event) => ({ ...event, at: epochSeconds(event.at) }));
    return { ...proof, erasedAt: epochSeconds(proof.erasedAt), checkedAt: epochSeconds(proof.checkedAt), events };
  }
}
