import type { UnitOfWork } from '#event-store';
import type { Clock } from '#kernel';
import type { Projections } from '#read-model';
import type { Log, Metrics } from '#telemetry';

import { containerTelemetry } from './container-telemetry.js';
import { loginFunnelProjection } from './read-models/login-funnel-projection.js';
import { sessionsProjection } from './read-models/sessions-projection.js';
import { Sessions } from './repositories/sessions.js';
import { lifetimesOf, type SessionSettings } from './session-settings.js';
import type { StatusCache } from './status/status-cache.js';
import { GetSessionTimeline } from './use-cases/get-session-timeline.js';
import { ListSessions } from './use-cases/list-sessions.js';
import { ReadLoginFunnel } from './use-cases/read-login-funnel.js';

export interface OperatorSessionDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly statusCache?: StatusCache | undefined;
  readonly settings: SessionSettings;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The use cases of an operator. */
export const operatorSessionUseCases = ({ unitOfWork, projections, clock, statusCache, settings, log, metrics }: OperatorSessionDependencies) => {
  const retention = lifetimesOf(settings).record;
  return {
    getSessionTimeline: new GetSessionTimeline(new Sessions(unitOfWork, { statusCache, containerWaited: containerTelemetry({ log, metrics }) })),
    listSessions: new ListSessions(projections.follow(sessionsProjection(retention)), clock, retention),
    readLoginFunnel: new ReadLoginFunnel(projections.follow(loginFunnelProjection(retention)), clock, retention),
  };
};
