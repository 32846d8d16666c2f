import type { EventStore } from '#event-store';
import { subjectNames } from '#identity';
import type { Clock, KeyRing, Randomness, RingKey, Secret, SubjectKeys } from '#kernel';
import { OwnClient } from '#relying-party';

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
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey; readonly token: KeyRing; readonly subject: SubjectKeys };
  readonly settings: { readonly environment: string };
  readonly adminToken: Secret<string>;
}

export const administrationUseCases = ({ eventStore, clock, randomness, keys, settings: { environment }, adminToken }: AdministrationParts) => {
  const records = new AdminTokenRecords(eventStore, clock);
  const own = new OwnClient(keys.index, environment);
  const names = subjectNames(own.clientId, { eventStore, clock, keys, environment });
  const portalMembers = new PortalMembers({ store: eventStore, clock, randomness, key: keys.index.key, names, own });
  return {
    authenticateAdministrator: new AuthenticateAdministrator(records, clock, adminToken),
    addAdminToken: new AddAdminToken(records, clock, randomness),
    listAdminTokens: new ListAdminTokens(records),
    revokeAdminToken: new RevokeAdminToken(records, clock),
    auditTrail: new AuditTrail(eventStore, clock),
    listAuditEntries: new ListAuditEntries(eventStore),
    portalMembers,
    portalSessions: new PortalSessions(eventStore, clock, randomness, keys.token, portalMembers),
    findApprover: new FindApprover(records, names),
    approvals: new Approvals(eventStore, clock, keys.index.key),
  };
};
