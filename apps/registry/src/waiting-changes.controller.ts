import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import { Principal, Route } from '#service/http';
import { type ClientId, epochSeconds } from '#kernel';
import { type Client, ClientConsent, FindCloseNames, ListWaitingChanges, type WaitingChange } from '#domain/relying-party';

import { ChangedClients } from './changed-clients.js';
import type { ShownCloseName } from './client-names.controller.js';
import { CriticalChanges } from './critical-changes.js';
import { ClientIdParam } from './clients.controller.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';
import { DecideChangeDto } from './waiting-changes.dto.js';

interface ShownChange {
  readonly changeId: string;
  /**
   * The subjectId of the member who has asked for it.
   *
   * @format uuid
   */
  readonly askedBy: string;
  /** Epoch seconds. */
  readonly askedAt: number;
  /** The terms as they will be. */
  readonly changes: WaitingChange['changes'];
  /** The registered names that the new one may pass for, the closest first; of other clients, so for operators alone. Absent if the name does not change, and in lists. */
  readonly closeNames?: readonly ShownCloseName[];
}

interface ShownConsent {
  readonly waiting?: ShownChange;
  /** On the change before. */
  readonly decided?: {
    readonly changeId: string;
    readonly accepted: boolean;
    /** Epoch seconds. */
    readonly at: number;
  };
}

interface ChangePage extends Paged {
  readonly changes: readonly (ShownChange & { readonly clientId: string; readonly clientName: string })[];
}

/** A member's change of a client that waits for an operator's consent (specification/admin.md#consent-to-changes). */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/waiting-change')
export class WaitingChangeController {
  constructor(
    private readonly consent: ClientConsent,
    private readonly closeNames: FindCloseNames,
    private readonly clients: ChangedClients,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get()
  async show(@ClientIdParam() clientId: ClientId, @Principal() caller: Administrator): Promise<ShownConsent> {
    const { waiting, decided } = await this.consent.find(clientId);
    const name = caller.roles.includes('operator') ? waiting?.changes.name : undefined;
    const closeNames = name === undefined ? undefined : await this.closeNames.execute(name, clientId);
    return {
      ...(waiting && { waiting: { ...shown(waiting), ...(closeNames && { closeNames }) } }),
      ...(decided && { decided: { ...decided, at: epochSeconds(decided.at) } }),
    };
  }

  @Delete()
  @HttpCode(204)
  @Route({ ignoreBody: true })
  withdraw(@ClientIdParam() clientId: ClientId, @Principal() { id }: Administrator): Promise<void> {
    return this.consent.withdraw(clientId, id);
  }

  @Post('acceptance')
  @HttpCode(200)
  async accept(
    @ClientIdParam() clientId: ClientId,
    @Body() { change_id }: DecideChangeDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<Client> {
    const changeId = change_id.toLowerCase();
    const { name } = await this.clients.get(clientId);
    const { waiting } = await this.consent.find(clientId);
    // Another one that waits is refused below.
    if (waiting?.changeId === changeId) {
      const terms = Object.entries(waiting.changes).map(([term, value]) => `${term}: ${JSON.stringify(value)}`);
      const lines = [`Relying party: ${name} (${clientId})`, `Asked for by: ${waiting.by}`, ...terms];
      await this.criticalChanges.require(request, caller, { title: `${name}: accept the change that waits`, lines, touched: { client: clientId } });
    }
    return this.consent.accept(clientId, changeId, caller.id);
  }

  @Post('refusal')
  @HttpCode(204)
  refuse(@ClientIdParam() clientId: ClientId, @Body() { change_id }: DecideChangeDto, @Principal() { id }: Administrator): Promise<void> {
    return this.consent.refuse(clientId, change_id.toLowerCase(), id);
  }
}

/** The same of all clients. */
@ApiBearerAuth('admin')
@Controller('admin/v1/waiting-changes')
export class WaitingChangesController {
  constructor(private readonly listChanges: ListWaitingChanges) {}

  @Get()
  async list(@Query() page: PageDto): Promise<ChangePage> {
    const { entries, ...next } = await this.listChanges.execute(pageRequest<ClientId>(page));
    return { changes: entries.map(({ clientId, clientName, ...change }) => ({ clientId, clientName, ...shown(change) })), ...next };
  }
}

const shown = ({ changeId, by, at, changes }: WaitingChange): ShownChange => ({ changeId, askedBy: by, askedAt: epochSeconds(at), changes });
