import { Controller, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { type Administrator, enrollerName } from '#domain/administration';
import { Principal, Route } from '#service/http';
import { IssueActivationCode } from '#domain/identity';
import { epochSeconds, type IdentityId } from '#kernel';

import { CriticalChanges } from './critical-changes.js';
import { IdentityIdParam } from './identities.controller.js';

interface IssuedActivationCode {
  /** Enrols one device. */
  readonly activationCode: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /**
   * Opens the web phone with the code. Browsers do not send the fragment to a server.
   *
   * @format uri
   */
  readonly link: string;
}

/** Makes the links that open the web phone with an activation code. */
export class ActivationCodeLinks {
  constructor(private readonly appUrl: string) {}

  to(activationCode: string): string {
    return `${this.appUrl}/#activate=${activationCode}`;
  }
}

@ApiBearerAuth('admin')
@Controller('admin/v1/identities/:identityId/activation-codes')
export class ActivationCodesController {
  constructor(
    private readonly issueActivationCode: IssueActivationCode,
    private readonly criticalChanges: CriticalChanges,
    private readonly links: ActivationCodeLinks,
  ) {}

  @Post()
  @Route({ ignoreBody: true })
  async issue(
    @IdentityIdParam() identityId: IdentityId,
    @Principal() administrator: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<IssuedActivationCode> {
    const { human } = administrator;
    const title = 'Activation code for a member of the portal';
    const lines = [`Person: ${identityId}`, 'A phone that is enrolled with it may act for the person in the portal.'];
    const issued = await this.issueActivationCode.execute(identityId, {
      by: human ? enrollerName(human.identityId) : administrator.id,
      // No token makes a phone of a person with power, nor does the one of the first start (specification/admin.md#machine-tokens).
      bySecurity: administrator.roles.includes('security') && !administrator.reach && !administrator.firstStartOnly,
      approve: () => this.criticalChanges.require(request, administrator, { title, lines, touched: { identity: identityId } }),
    });
    const activationCode = issued.activationCode.reveal();
    return { activationCode, expiresAt: epochSeconds(issued.expiresAt), link: this.links.to(activationCode) };
  }
}
