import { type DynamicModule, Module } from '@nestjs/common';

import { FailureThrottle, LongPolls, useCaseProviders } from '#service/http';
import type { Platform } from '#service/platform';

import { AuthorizeController } from './authorize.controller.js';
import { BackchannelController } from './backchannel.controller.js';
import { IssuerUrl, MetadataController } from './metadata.controller.js';
import { PushController } from './push.controller.js';
import { TokenController } from './token.controller.js';
import { UserInfoController } from './user-info.controller.js';

/** `/openid`, for relying parties with a library of OpenID Connect. */
@Module({ controllers: [MetadataController, PushController, AuthorizeController, BackchannelController, TokenController, UserInfoController] })
export class OpenIdModule {
  static register({ settings, stopping, useCases }: Platform, throttle: FailureThrottle): DynamicModule {
    return {
      module: OpenIdModule,
      providers: [
        { provide: IssuerUrl, useValue: new IssuerUrl(settings.issuerUrl) },
        { provide: FailureThrottle, useValue: throttle },
        { provide: LongPolls, useValue: new LongPolls(stopping) },
        ...useCaseProviders(useCases.openid()),
      ],
    };
  }
}
