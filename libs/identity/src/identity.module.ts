import { type DynamicModule, Module } from '@nestjs/common';

import type { ErasureStep } from './erasure/erasure-step.js';
import { type IdentityParts, identityUseCases } from './identity-use-cases.js';

/** Each use case under its own class. */
@Module({})
export class IdentityModule {
  static register(parts: IdentityParts, furtherErasures: readonly ErasureStep[] = []): DynamicModule {
    const useCases = Object.values(identityUseCases(parts, furtherErasures));
    const providers = useCases.map((useCase) => ({ provide: useCase.constructor, useValue: useCase }));
    return { module: IdentityModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
