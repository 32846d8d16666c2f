import type { EventStore } from '#engines/event-store';
import type { Clock } from '#kernel';
import type { MessageBus } from '#engines/message-bus';
import type { Projections } from '#engines/read-model';
import type { Log, Metrics } from '#telemetry';

import { timerWaits } from './domain/session-timer.js';
import { type SessionPublication, unlessUnpublishable } from './integration-events.js';
import { sessionTimersProjection } from './read-models/session-timers-projection.js';
import { TimerRows } from './read-models/timer-rows.js';
import { isSessionEvent } from './repositories/session-envelope.js';
import { lifetimesOf, type SessionUseCaseSettings } from './session-settings.js';
import type { SessionRepositories } from './session-repositories.js';
import { SessionTimers } from './timers/session-timers.js';
import { TopicShare } from './timers/topic-share.js';
import { NoteTimer } from './use-cases/note-timer.js';
import { RunSessionTimer } from './use-cases/run-session-timer.js';
import { SweepOldSessions } from './use-cases/sweep-old-sessions.js';

export interface SessionTimersDependencies extends Pick<SessionRepositories, 'sessions' | 'retentionCheckpoint'> {
  readonly publication: SessionPublication;
  readonly eventStore: EventStore;
  readonly messageBus: Pick<MessageBus, 'partitionOf'>;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly settings: SessionUseCaseSettings;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends everything that runs. */
  readonly stopping: AbortSignal;
}

/** Ends sessions at their deadline, erases results when they are over, and deletes sessions when their retention is over. */
export const sessionTimerUseCases = (parts: SessionTimersDependencies) => {
  const {
    eventStore,
    messageBus,
    projections,
    clock,
    settings,
    log,
    metrics,
    stopping,
    sessions,
    publication,
    retentionCheckpoint: checkpoint,
  } = parts;
  const lifetimes = lifetimesOf(settings);
  const waits = timerWaits(lifetimes.record);
  const share = new TopicShare(messageBus);
  const history = sessionTimersProjection(
    async (event) => {
      const message = isSessionEvent(event) ? await publication.message(event).catch(unlessUnpublishable) : undefined;
      return message && noteTimer.rowAfter(message);
    },
    () => timers.look(),
  );
  const rows = new TimerRows(projections.follow(history), metrics);
  const run = new RunSessionTimer(eventStore, sessions, waits, clock);
  const timers = new SessionTimers({ rows, share, run, waits, clock, log, metrics, stopping });
  const noteTimer = new NoteTimer(rows, share, lifetimes, (row) => timers.noted(row));
  const sweepOldSessions = new SweepOldSessions({ store: eventStore, checkpoint, run, retention: lifetimes.record, clock });
  return { noteTimer, timers, sweepOldSessions, share };
};
