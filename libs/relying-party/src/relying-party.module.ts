import { type DynamicModule, Module } from '@nestjs/common';

import { type RelyingPartyParts, relyingPartyUseCases } from './relying-party-use-cases.js';

/** Each use case under its own class. */
@Module({})
export class RelyingPartyModule {
  static register(parts: RelyingPartyParts): DynamicModule {
    const providers = Object.values(relyingPartyUseCases(parts)).map((useCase) => ({ provide: useCase.constructor, useValue: useCase }));
    return { module: RelyingPartyModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
