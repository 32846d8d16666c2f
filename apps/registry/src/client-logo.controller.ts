import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';

import { Route } from '#http';
import type { ClientId } from '#kernel';
import { ChangeLogo, type ClientLogo, FindLogo, type Logo } from '#relying-party';

import { ClientIdParam } from './clients.controller.js';

/** The body of `PUT /clients/{clientId}/logo`. */
export class UploadLogoDto {
  /** Base64 of a PNG of at most 32 KiB, 32 to 512 pixels wide and high, not interlaced. */
  @IsString()
  @MaxLength(43_692)
  readonly image!: string;
}

/** The body of `POST /clients/{clientId}/logo/approval`. */
export class ApproveLogoDto {
  /** The hash of the logo that was looked at. */
  @Matches(/^[0-9a-f]{64}$/, { message: 'must be 64 lower-case hex characters' })
  readonly hash!: string;
}

interface LogoView {
  /** SHA-256 of the picture that the service encoded, hex. */
  readonly hash: string;
  /** Base64 of the PNG. */
  readonly image: string;
  readonly width: number;
  readonly height: number;
}

interface ClientLogoView {
  /** What people see. */
  readonly shown?: LogoView;
  /** What staff has yet to approve. */
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
  ) {}

  @Get()
  async show(@ClientIdParam() clientId: ClientId): Promise<ClientLogoView> {
    return clientLogoView(await this.findLogo.execute(clientId));
  }

  @Put()
  async upload(@ClientIdParam() clientId: ClientId, @Body() { image }: UploadLogoDto): Promise<ClientLogoView> {
    return clientLogoView(await this.changeLogo.upload(clientId, image));
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
