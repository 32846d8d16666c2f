import type { Provider } from '@nestjs/common';

/** Lets controllers ask for use cases by their class. */
export const useCaseProviders = (useCases: readonly object[]): Provider[] =>
  useCases.map((useCase) => ({ provide: useCase.constructor, useValue: useCase }) as Provider);
