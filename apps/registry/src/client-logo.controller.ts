import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { Route } from '#service/http';
import type { ClientId } from '#kernel';
import { ChangeLogo, type ClientLogo, FindLogo, type Logo } from '#domain/relying-party';

import { ApproveLogoDto, UploadLogoDto } from './client-logo.dto.js';
import { ClientLimits } from './client-limits.js';
import { ClientIdParam } from './clients.controller.js';

interface LogoView {
  /** SHA-256 of the picture that the service encoded, hex. */
  readonly hash: string;
  /**
   * PNG.
   *
   * @format byte
   */
  readonly image: string;
  readonly width: number;
  readonly height: number;
}

interface ClientLogoView {
  /** The logo that people see. */
  readonly shown?: LogoView;
  /** The logo that staff has yet to approve. */
  readonly waiting?: LogoView;
}

const viewOf = ({ hash, image, width, height }: Logo): LogoView => ({ hash, image, width, height });

const clientLogoView = ({ shown, waiting }: ClientLogo): ClientLogoView => ({
  ...(shown && { shown: viewOf(shown) }),
  ...(waiting && { waiting: viewOf(waiting) }),
});

@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/logo')
export class ClientLogoController {
  constructor(
    private readonly findLogo: FindLogo,
    private readonly changeLogo: ChangeLogo,
    private readonly limits: ClientLimits,
  ) {}

  @Get()
  async show(@ClientIdParam() clientId: ClientId): Promise<ClientLogoView> {
    return clientLogoView(await this.findLogo.execute(clientId));
  }

  @Put()
  async upload(@ClientIdParam() clientId: ClientId, @Body() { image }: UploadLogoDto): Promise<ClientLogoView> {
    return clientLogoView(await this.limits.uploadLogo(clientId, () => this.changeLogo.upload(clientId, image)));
  }

  @Post('approval')
  @HttpCode(200)
  async approve(@ClientIdParam() clientId: ClientId, @Body() { hash }: ApproveLogoDto): Promise<ClientLogoView> {
    return clientLogoView(await this.changeLogo.approve(clientId, hash));
  }

  @Delete()
  @HttpCode(204)
  @Route({ ignoreBody: true })
  remove(@ClientIdParam() clientId: ClientId): Promise<void> {
    return this.changeLogo.remove(clientId);
  }
}
