import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { HistoryGuard } from '#engines/transparency-log';
import type { FindLivingPerson, FindPhoneOrigins, SubjectNames } from '#domain/identity';
import type { Clock, KeyRing, Randomness, RingKey, Sealer, Secret } from '#kernel';
import type { OwnClient } from '#domain/relying-party';
import type { Log } from '#telemetry';

import type { ApprovalSessions } from './approval/approval-sessions.js';
import { ChangeApprovals } from './approval/change-approvals.js';
import { TouchedObjects } from './approval/touched.js';
import { BreakGlassRequests } from './break-glass/break-glass-requests.js';
import { LossRequests } from './loss-acceptance/loss-requests.js';
import { securityLines } from './loss-acceptance/security-lines.js';
import { WatchLossAcceptance } from './loss-acceptance/watch-loss-acceptance.js';
import { WatchBreakGlass } from './break-glass/watch-break-glass.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuthorityProof } from './repositories/authority-proof.js';
import { ListAuditEntries } from './audit/list-audit-entries.js';
import { AbandonedTokens } from './repositories/abandoned-tokens.js';
import { AddAdminToken } from './use-cases/add-admin-token.js';
import { AdminTokenRecords } from './repositories/admin-token-records.js';
import { AuthenticateAdministrator } from './use-cases/authenticate-administrator.js';
import { TokenMakers } from './repositories/token-makers.js';
import { JudgeHumans } from './use-cases/judge-humans.js';
import { CompleteApproval } from './use-cases/complete-approval.js';
import { ListAdminTokens } from './use-cases/list-admin-tokens.js';
import { NewPhones } from './repositories/new-phones.js';
import { MembersOwnPhones } from './repositories/members-own-phones.js';
import { PortalMembers } from './repositories/portal-members.js';
import { PortalPhones } from './repositories/portal-phones.js';
import { PortalSessions } from './repositories/portal-sessions.js';
import { RevokeAdminToken } from './use-cases/revoke-admin-token.js';

/** The dependencies of the use cases: the parts of the process that they run in. */
export interface AdministrationParts {
  readonly eventStore: EventStore;
  /** Undefined where no checkpoints are made. */
  readonly historyGuard?: Pick<HistoryGuard, 'prove'> | undefined;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey; readonly token: KeyRing };
  readonly sealer: Sealer;
  readonly log: Log;
  readonly adminToken: Secret<string>;
  /** How persons are asked on their phones. */
  readonly approvalSessions: ApprovalSessions;
  /** The portal's own client. */
  readonly own: OwnClient;
  /** Those of persons at it. */
  readonly names: SubjectNames;
  readonly living: FindLivingPerson;
  readonly origins: FindPhoneOrigins;
  readonly settings: {
    readonly fourEyes: boolean;
    /** Seconds. */
    readonly portalIdle: number;
    /** Seconds. */
    readonly portalPhoneWait: number;
  };
  /** Whether `ADMIN_TOKEN` is for the first start alone. */
  readonly guarded: boolean;
}

export const administrationUseCases = (parts: AdministrationParts) => {
  const {
    eventStore,
    unitOfWork,
    clock,
    randomness,
    keys,
    adminToken,
    own,
    names,
    living,
    origins,
    settings,
    guarded,
    sealer,
    approvalSessions,
    log,
  } = parts;
  const records = new AdminTokenRecords(unitOfWork);
  const firstHolders = settings.fourEyes ? 2 : 1;
  const phones = new PortalPhones({ unitOfWork, living, origins, key: keys.index.key, wait: settings.portalPhoneWait * 1000 });
  const members = new PortalMembers({ unitOfWork, clock, randomness, key: keys.index.key, own, names, living, phones, firstHolders });
  const idle = settings.portalIdle * 1000;
  const authority = new AuthorityProof({ living, phones, names, clock, idle });
  const sessions = new PortalSessions({
    unitOfWork,
    clock,
    randomness,
    ring: keys.token,
    members,
    phones,
    living,
    idle,
  });
  const ownPhones = new MembersOwnPhones({ members, phones, sessions, names });
  const humans = new JudgeHumans(origins, new TokenMakers(records, names));
  const changeApprovals = new ChangeApprovals({ unitOfWork, clock, randomness, sealer, own, sessions: approvalSessions });
  const breakGlassRequests = new BreakGlassRequests({ unitOfWork, clock, randomness, members, phones, living });
  const lossRequests = new LossRequests(unitOfWork);
  return {
    breakGlassRequests,
    watchBreakGlass: new WatchBreakGlass({
      requests: breakGlassRequests,
      members,
      sessions: approvalSessions,
      own,
      clock,
      wait: settings.portalPhoneWait * 1000,
      alarm: (reason) => log.error(reason, { component: 'administration' }),
    }),
    lossRequests,
    watchLossAcceptance: new WatchLossAcceptance({
      store: eventStore,
      requests: lossRequests,
      members,
      phones,
      sessions: approvalSessions,
      humans,
      own,
      clock,
      wait: settings.portalPhoneWait * 1000,
      alarm: (reason) => log.error(reason, { component: 'administration' }),
    }),
    /** The lines of a checkpoint that say who may accept a loss. */
    securityLines: () => securityLines({ members, phones }),
    authenticateAdministrator: new AuthenticateAdministrator({ records, clock, firstStart: adminToken, members, guarded }),
    addAdminToken: new AddAdminToken(records, clock, randomness),
    listAdminTokens: new ListAdminTokens(records),
    abandonedTokens: new AbandonedTokens({
      records,
      members,
      names,
      clock,
      alarm: (tokenId) =>
        log.error('an admin token has outlived its maker: make another one in its place, or revoke it', {
          component: 'administration',
          reason: `token ${tokenId}`,
        }),
    }),
    revokeAdminToken: new RevokeAdminToken(records, clock),
    auditTrail: new AuditTrail(unitOfWork),
    listAuditEntries: new ListAuditEntries(eventStore, parts.historyGuard),
    portalMembers: members,
    portalPhones: phones,
    portalSessions: sessions,
    membersOwnPhones: ownPhones,
    newPhones: new NewPhones({ members, phones, ownPhones, names, clock }),
    changeApprovals,
    authorityProof: authority,
    touchedObjects: new TouchedObjects(unitOfWork, living, clock),
    completeApproval: new CompleteApproval({ changeApprovals, sessions: approvalSessions, authority, unitOfWork, humans, names, clock }),
  };
};
