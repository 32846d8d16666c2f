import { Controller, Get } from '@nestjs/common';

import { Route } from '#service/http';
import { providerMetadata, SigningKeys } from '#domain/openid';

/** `ISSUER_URL`. */
export class IssuerUrl {
  constructor(readonly url: string) {}
}

@Controller()
export class MetadataController {
  constructor(
    private readonly issuer: IssuerUrl,
    private readonly signingKeys: SigningKeys,
  ) {}

  @Get('openid/.well-known/openid-configuration')
  @Route({ open: true })
  discovery(): object {
    return providerMetadata(this.issuer.url);
  }

  @Get('.well-known/oauth-authorization-server/openid')
  @Route({ open: true })
  metadata(): object {
    return providerMetadata(this.issuer.url);
  }

  @Get('openid/jwks')
  @Route({ open: true })
  keys(): object {
    return { keys: this.signingKeys.published() };
  }
}
