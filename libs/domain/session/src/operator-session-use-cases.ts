import { type IdentityParts, livingPersons } from '#domain/identity';
import type { Clock } from '#kernel';
import type { Projections } from '#engines/read-model';

import { loginFunnelProjection } from './read-models/login-funnel-projection.js';
import { sessionsProjection } from './read-models/sessions-projection.js';
import { lifetimesOf, type SessionSettings } from './session-settings.js';
import { sessionsOf, type SessionsParts } from './sessions-of-process.js';
import { GetSessionTimeline } from './use-cases/get-session-timeline.js';
import { ListSessions } from './read-models/list-sessions.js';
import { ReadLoginFunnel } from './read-models/read-login-funnel.js';

export interface OperatorSessionDependencies extends SessionsParts, Required<Pick<IdentityParts, 'identityRepositories'>> {
  readonly projections: Projections;
  readonly clock: Clock;
  readonly settings: SessionSettings;
}

/** The use cases of an operator. */
export const operatorSessionUseCases = (parts: OperatorSessionDependencies) => {
  const { projections, clock, settings } = parts;
  const retention = lifetimesOf(settings).record;
  return {
    getSessionTimeline: new GetSessionTimeline(sessionsOf(parts), livingPersons(parts)),
    listSessions: new ListSessions(projections.follow(sessionsProjection(retention)), clock, retention),
    readLoginFunnel: new ReadLoginFunnel(projections.follow(loginFunnelProjection(retention)), clock, retention),
  };
};
