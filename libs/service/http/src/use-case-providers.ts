import type { Provider } from '@nestjs/common';

/** Use cases by their names, as the libs give them to an app. */
export type NamedUseCases = Readonly<Record<string, object>>;

/** Lets controllers inject the use cases of these records by their classes. */
export const useCaseProviders = (...records: readonly NamedUseCases[]): Provider[] =>
  records.flatMap((useCases) => Object.values(useCases)).map((useCase) => ({ provide: useCase.constructor, useValue: useCase }) as Provider);
