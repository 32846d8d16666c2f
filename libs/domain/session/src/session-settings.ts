import type { Lifetimes } from './domain/lifetimes.js';

/** The settings that the use cases follow. Times and windows are in seconds. */
export interface SessionUseCaseSettings {
  readonly loginUrl: string;
  readonly issuerUrl: string;
  readonly sessionTtl: number;
  readonly pushSessionTtl: number;
  readonly codeTtl: number;
  readonly handoffTtl: number;
  readonly signingBuildTtl: number;
  readonly resultRetention: number;
  readonly sessionRetention: number;
  readonly pushLimit: number;
  readonly pushLimitWindow: number;
  readonly pushPersonLimit: number;
  readonly pushDeclineWait: number;
}

/** The same in milliseconds. */
export const lifetimesOf = (settings: SessionUseCaseSettings): Lifetimes => ({
  session: settings.sessionTtl * 1000,
  pushSession: settings.pushSessionTtl * 1000,
  code: settings.codeTtl * 1000,
  handoff: settings.handoffTtl * 1000,
  signingBuild: settings.signingBuildTtl * 1000,
  result: settings.resultRetention * 1000,
  record: settings.sessionRetention * 1000,
});
