import { UnitOfWork } from '#engines/event-store';
import { Sealer, Secret, SystemRandomness } from '#kernel';
import { StaticKeyRing } from '../kernel/static-key-ring.js';
import { SilentLog } from '#telemetry';

import { SessionPublication, sessionRepositories, type SessionTimersDependencies, sessionTimerUseCases } from '#domain/session';

type UseCases = ReturnType<typeof sessionTimerUseCases>;

/** A process of the session timers. */
export interface TimerReplica extends Pick<UseCases, 'timers' | 'noteTimer' | 'share'> {
  readonly projections: SessionTimersDependencies['projections'];
  /** Resolves when it has stopped. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** Of the topic of session events. */
export const PARTITIONS = 8;

export const partitionOf = (subject: string, partitions: number): number => Number.parseInt(subject.slice(0, 8), 16) % partitions;

const SETTINGS = {
  loginUrl: '',
  issuerUrl: '',
  sessionTtl: 120,
  pushSessionTtl: 300,
  codeTtl: 60,
  handoffTtl: 60,
  signingBuildTtl: 60,
  resultRetention: 1_800,
  sessionRetention: 30 * 86_400,
  pushLimit: 5,
  pushLimitWindow: 600,
  pushPersonLimit: 15,
  pushDeclineWait: 60,
};

const SEALER = new Sealer(new StaticKeyRing([{ id: 'data', key: new Secret(Buffer.alloc(32, 'data')) }]), new SystemRandomness());

/** Starts a process that works for these partitions, until it is killed or the signal stops all. */
export const startTimerReplica = (
  parts: Pick<SessionTimersDependencies, 'eventStore' | 'projections' | 'clock' | 'metrics' | 'stopping'>,
  owned: readonly number[],
  end: AbortController,
): TimerReplica => {
  const stopping = AbortSignal.any([parts.stopping, end.signal]);
  const { timers, noteTimer, share } = sessionTimerUseCases({
    ...parts,
    ...sessionRepositories({
      ...parts,
      unitOfWork: new UnitOfWork(parts.eventStore, parts.clock),
      settings: SETTINGS,
      sealer: SEALER,
      log: new SilentLog(),
    }),
    publication: new SessionPublication(parts.eventStore),
    stopping,
    messageBus: { partitionOf },
    settings: SETTINGS,
    log: new SilentLog(),
  });
  timers.assigned({ partitions: PARTITIONS, owned });
  return { timers, noteTimer, share, projections: parts.projections, ended: timers.run(), kill: () => end.abort() };
};
