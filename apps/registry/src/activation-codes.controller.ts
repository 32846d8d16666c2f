import { Controller, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type Administrator, PortalMembers } from '#administration';
import { Principal, Route } from '#http';
import { IssueActivationCode } from '#identity';
import { epochSeconds, type IdentityId } from '#kernel';

import { IdentityIdParam } from './identities.controller.js';
import { Forbidden } from './require-right.js';

const REMEDY = 'This person belongs to the staff of the portal: an administrator with the role security has to issue the code.';

interface IssuedActivationCode {
  readonly activationCode: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Opens the web phone with the code. Browsers do not send the fragment to a server. */
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
    private readonly members: PortalMembers,
    private readonly links: ActivationCodeLinks,
  ) {}

  @Post()
  @Route({ ignoreBody: true })
  async issue(@IdentityIdParam() identityId: IdentityId, @Principal() { roles }: Administrator): Promise<IssuedActivationCode> {
    // With a phone of this person the caller would log in to the portal with the person's rights.
    if (!roles.includes('security') && (await this.members.isStaff(identityId))) throw new Forbidden('the person belongs to the staff', REMEDY);
    const issued = await this.issueActivationCode.execute(identityId);
    const activationCode = issued.activationCode.reveal();
    return { activationCode, expiresAt: epochSeconds(issued.expiresAt), link: this.links.to(activationCode) };
  }
}
