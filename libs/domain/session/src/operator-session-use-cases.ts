import type { FindLivingPerson } from '#domain/identity';
import type { Clock } from '#kernel';
import type { Projections } from '#engines/read-model';

import { loginFunnelProjection } from './read-models/login-funnel-projection.js';
import { sessionsProjection } from './read-models/sessions-projection.js';
import { FindSessionsOfClient } from './read-models/find-sessions-of-client.js';
import { lifetimesOf, type SessionUseCaseSettings } from './session-settings.js';
import type { Sessions } from './repositories/sessions.js';
import { GetSessionTimeline } from './use-cases/get-session-timeline.js';
import { ListSessions } from './read-models/list-sessions.js';
import { ReadLoginFunnel } from './read-models/read-login-funnel.js';

export interface OperatorSessionDependencies {
  readonly sessions: Sessions;
  readonly findLivingPerson: FindLivingPerson;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly settings: SessionUseCaseSettings;
}

/** The use cases of an operator. */
export const operatorSessionUseCases = ({ sessions, findLivingPerson, projections, clock, settings }: OperatorSessionDependencies) => {
  const retention = lifetimesOf(settings).record;
  const model = projections.follow(sessionsProjection(retention));
  return {
    getSessionTimeline: new GetSessionTimeline(sessions, findLivingPerson),
    listSessions: new ListSessions(model, clock, retention),
    findSessionsOfClient: new FindSessionsOfClient(model),
    readLoginFunnel: new ReadLoginFunnel(projections.follow(loginFunnelProjection(retention)), clock, retention),
  };
};
