import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { FindLivingPerson, SubjectNames } from '#domain/identity';
import type { Clock, KeyRing, Randomness, RingKey, Secret } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

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
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey; readonly token: KeyRing };
  readonly adminToken: Secret<string>;
  /** The portal's own client. */
  readonly own: OwnClient;
  /** Those of persons at it. */
  readonly names: SubjectNames;
  readonly living: FindLivingPerson;
}

export const administrationUseCases = (parts: AdministrationParts) => {
  const { eventStore, unitOfWork, clock, randomness, keys, adminToken, own, names, living } = parts;
  const records = new AdminTokenRecords(unitOfWork);
  const members = new PortalMembers({ unitOfWork, clock, randomness, key: keys.index.key, own, names, living });
  return {
    authenticateAdministrator: new AuthenticateAdministrator(records, clock, adminToken),
    addAdminToken: new AddAdminToken(records, clock, randomness),
    listAdminTokens: new ListAdminTokens(records),
    revokeAdminToken: new RevokeAdminToken(records, clock),
    auditTrail: new AuditTrail(unitOfWork),
    listAuditEntries: new ListAuditEntries(eventStore),
    portalMembers: members,
    portalSessions: new PortalSessions({ store: eventStore, clock, randomness, ring: keys.token, members, living }),
    findApprover: new FindApprover(records, names),
    approvals: new Approvals(unitOfWork, keys.index.key),
  };
};
