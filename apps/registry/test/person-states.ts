import { ADMIN_ROLES, type AdminRole, FIRST_START, type TeamRole, TEAM_ROLES } from '#domain/administration';
import type { ClientId } from '#kernel';

import type { PersonHeaders, PersonWithPhone, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

/** Every kind of person that the portal knows: each role of the staff, each role of a team, and a person without any. */
export const KINDS = [...ADMIN_ROLES, ...TEAM_ROLES, 'none'] as const;
export type Kind = (typeof KINDS)[number];

/** What has become of the person since the login. */
export const STATES = ['living', 'phone revoked', 'erased', 'removed', 'logged out', 'phone stopped', 'phone waiting'] as const;
export type State = (typeof STATES)[number];

export const isTeamRole = (kind: string): kind is TeamRole => (TEAM_ROLES as readonly string[]).includes(kind);

/** Makes the person one of this kind, in the team of the client where it is a role of a team. Answers a session of the person. */
export const join = (registry: Registry, kind: Kind, client: ClientId, person: PersonWithPhone): Promise<PersonHeaders> => {
  if (kind === 'none') return registry.session(person);
  return registry.member(isTeamRole(kind) ? { clientId: client, role: kind } : { roles: [kind as AdminRole] }, person);
};

/** Lets the state come over the person, below the API. `headers`: the session that ends where the person logs out. Answers the session that the person has afterwards: of a phone that waits, its own. */
export const become = async (
  registry: Registry,
  state: State,
  {
    person,
    kind,
    client,
    headers,
  }: { readonly person: PersonWithPhone; readonly kind: Kind; readonly client: ClientId; readonly headers: PersonHeaders },
): Promise<PersonHeaders> => {
  const { portalMembers, portalSessions, portalPhones } = registry.platform.useCases.administration();
  const { revokeDevice } = registry.platform.useCases.phones();
  if (state === 'phone revoked') await revokeDevice.execute(person.identityId, person.deviceId);
  if (state === 'erased') await registry.platform.useCases.erasures().eraseIdentity.execute(person.identityId, FIRST_START);
  if (state === 'logged out') await portalSessions.end(headers.cookie.replace('svc_portal=', ''));
  // The phone of the joining is the key itself: it cannot be stopped, only revoked.
  if (state === 'phone stopped') await portalPhones.stop(person.identityId, person.deviceId, { by: FIRST_START });
  if (state === 'removed' && kind !== 'none') await portalMembers.remove(person.subjectId, isTeamRole(kind) ? client : undefined, FIRST_START);
  if (state !== 'phone waiting') return headers;
  // Enrolled after the joining, by staff: it acts a day later.
  registry.platform.clock.advance(1);
  return registry.session({ ...person, deviceId: await registry.phoneOf(person.identityId) });
};
