import type { EventStore, UnitOfWork } from '#engines/event-store';
import { type IdentityRepositories, livingPersons, subjectNames } from '#domain/identity';
import type { Clock, KeyRing, Randomness, RingKey, Secret, SubjectKeys } from '#kernel';
import { OwnClient } from '#domain/relying-party';

import { Approvals } from './approval/approvals.js';
import { AuditTrail } from './audit/audit-trail.js';
import { ListAuditEntries } from './audit/list-audit-entries.js';
import { AddAdminToken } from './use-cases/add-admin-token.js';
import { AdminTokenRecords } from './repositories/admin-token-records.js';
import { AuthenticateAdministrator } from './use-cases/authenticate-administrator.js';
import { FindApprover } from './use-cases/find-approver.js';
import { ListAdminTokens } from './use-cases/list-admin-tokens.js';
import { PortalMembers } from './repositories/portal-members.js';
import { PortalSessions } from './repositories/portal-sessions.js';
import { RevokeAdminToken } from './use-cases/revoke-admin-token.js';

/** The dependencies of the use cases: the parts of the process that they run in. */
export interface AdministrationParts {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly identityRepositories: IdentityRepositories;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey; readonly token: KeyRing; readonly subject: SubjectKeys };
  readonly settings: { readonly environment: string };
  readonly adminToken: Secret<string>;
}

type PortalParts = Omit<AdministrationParts, 'adminToken'>;

/** Who the persons of the portal are. */
const portalPersons = ({ eventStore, identityRepositories, clock, keys, settings: { environment } }: PortalParts) => {
  const own = new OwnClient(keys.index, environment);
  const names = subjectNames(own.clientId, { eventStore, clock, keys, environment });
  return { own, names, living: livingPersons({ identityRepositories, clock }) };
};

/** The members of the portal, for a process that has no use for the other use cases. */
export const portalMembersOf = (parts: PortalParts, persons = portalPersons(parts)): PortalMembers => {
  const { unitOfWork, clock, randomness, keys } = parts;
  return new PortalMembers({ unitOfWork, clock, randomness, key: keys.index.key, ...persons });
};

export const administrationUseCases = (parts: AdministrationParts) => {
  const { eventStore, unitOfWork, clock, randomness, keys, adminToken } = parts;
  const records = new AdminTokenRecords(unitOfWork);
  const persons = portalPersons(parts);
  const portalMembers = portalMembersOf(parts, persons);
  return {
    authenticateAdministrator: new AuthenticateAdministrator(records, clock, adminToken),
    addAdminToken: new AddAdminToken(records, clock, randomness),
    listAdminTokens: new ListAdminTokens(records),
    revokeAdminToken: new RevokeAdminToken(records, clock),
    auditTrail: new AuditTrail(eventStore, clock),
    listAuditEntries: new ListAuditEntries(eventStore),
    portalMembers,
    portalSessions: new PortalSessions({ store: eventStore, clock, randomness, ring: keys.token, members: portalMembers, ...persons }),
    findApprover: new FindApprover(records, persons.names),
    approvals: new Approvals(eventStore, clock, keys.index.key),
  };
};
