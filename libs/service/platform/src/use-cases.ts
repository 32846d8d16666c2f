import { administrationUseCases, type ApprovalSessions, PORTAL_PHONES } from '#domain/administration';
import {
  type EndSessions,
  erasureUseCases,
  IDENTITIES,
  identityLists,
  identityRepositories,
  identityUseCases,
  INBOXES,
  phoneUseCases,
  revokedDevices,
  subjectMigrations,
  subjectNames,
} from '#domain/identity';
import { clientKeyUseCases, EvidenceByJws, LogOutAtClient, LogoutTokens, OpenIdNotices, openIdUseCases, SigningKeys } from '#domain/openid';
import { PushSubscriptions, pushDispatch, pushOfPhones, pushSubscriptionsStream } from '#domain/push';
import { clientLists, CLIENTS, logoAdministration, relyingPartyRepositories, relyingPartyUseCases } from '#domain/relying-party';
import {
  deviceSessionUseCases,
  findBackchannelPing,
  loginPageSessionUseCases,
  openIdSessionUseCases,
  operatorSessionUseCases,
  personSessionParts,
  portalSessionUseCases,
  relyingPartySessionUseCases,
  reportClients,
  reportRefusals,
  reportScans,
  restoreCachedStatus,
  sessionChanges,
  sessionErasures,
  sessionParts,
  sessionRepositories,
  sessionsOfRevokedDevices,
  sessionTimerUseCases,
  signingUseCases,
} from '#domain/session';
import {
  deliveryRepositories,
  DeliveryRequests,
  DeliveryTelemetry,
  listening,
  requestLogouts,
  webhookAdministration,
  webhookDispatch,
} from '#domain/webhook';
import { categoryOf, StreamChanges } from '#engines/event-store';
import { type ClientId, type IdentityId, once, type SubjectId } from '#kernel';
import { isGuarded } from '#service/config';
import { ArchiveStamper, CollectEvidence } from '#signatures/asic';

import { DeadLetters } from './dead-letters.js';
import type { PlatformParts } from './platform-parts.js';
import type { TrustServices } from './trust-services.js';

/** Replicas use a client's record for this time, in milliseconds; a single process reads it every time (specification/admin.md#secrets). */
const RECORD_LIFE_IN_REPLICAS = 1_000;

/** The categories of the lists that show at once what this process has decided. */
const LISTED: ReadonlySet<string> = new Set([CLIENTS.category, IDENTITIES.category]);

export type UseCases = ReturnType<typeof useCasesOf>;

/**
 * The composition root of the process: every repository and every use case, with its queues and its memory, exists once for all applications. A group is made
 * when an application first asks for it, so that no process follows a read model or a stream that none of its applications needs.
 */
export const useCasesOf = (parts: PlatformParts) => {
  const { settings, eventStore, unitOfWork, clock, projections, stopping, vapid } = parts;
  const ofIdentity = once(() => ({ ...parts, identityRepositories: identityRepositories(parts) }));
  const ofClients = once(() => {
    const recordLife = settings.esdbUrl === undefined ? 0 : RECORD_LIFE_IN_REPLICAS;
    return { ...parts, relyingPartyRepositories: relyingPartyRepositories(parts, recordLife) };
  });
  const ofSessions = once(() => ({ ...parts, ...sessionRepositories(parts) }));
  const subscriptions = once(() => new PushSubscriptions(unitOfWork, parts.sealer));

  const identity = once(() => identityUseCases(ofIdentity()));
  const relyingParties = once(() => relyingPartyUseCases(ofClients()));
  const clientKeys = once(() => {
    // At most once in ten seconds for each relying party.
    const keysMissed = (clientId: ClientId, reason: string): void =>
      parts.log.warn('the keys of a relying party cannot be fetched', { component: 'client-keys', clientId, reason });
    return clientKeyUseCases({ ...parts, ...relyingParties(), keysMissed });
  });
  const administration = once(() => {
    const { own } = ofClients().relyingPartyRepositories;
    const names = subjectNames(own.clientId, ofIdentity().identityRepositories);
    // Made when a person is asked first: few processes ask phones.
    const approvalSessions: ApprovalSessions = {
      ask: (request) => portalSessions().askApproval.execute(request),
      find: (sessionId) => portalSessions().findAskedApproval.execute(sessionId),
    };
    const { findLivingPerson: living, findPhoneOrigins: origins } = identity();
    return administrationUseCases({ ...parts, own, names, living, origins, approvalSessions, guarded: isGuarded(settings.environment) });
  });
  // Set where an application has asked for it: the read models that it needs are followed by few processes.
  let endSessions: EndSessions | undefined;
  const phones = once(() =>
    phoneUseCases(
      { ...ofIdentity(), checkPin: identity().checkPin },
      administration().portalMembers,
      async (identityId, deviceId) => await endSessions?.(identityId, deviceId),
    ),
  );
  const lists = once(() => {
    unitOfWork.observe((stream, revision) => {
      if (LISTED.has(categoryOf(stream))) projections.note(stream, revision);
    });
    return {
      ...clientLists(projections, ofClients().relyingPartyRepositories),
      ...identityLists({ ...ofIdentity(), readPersonalData: identity().readPersonalData }),
    };
  });

  const signingKeys = new SigningKeys(parts.keys.openid, clock);
  const evidenceSigner = new EvidenceByJws(signingKeys, settings.issuerUrl, clock);
  const session = once(() =>
    sessionParts({ ...ofSessions(), identity: identity(), relyingParties: relyingParties(), evidenceSigner }, () => sessionChanges(parts)),
  );
  const relyingPartySessions = once(() => relyingPartySessionUseCases(session()));
  const portalSessions = once(() => portalSessionUseCases(session()));
  const deviceSessions = once(() => {
    const inboxChanges = new StreamChanges(eventStore, INBOXES.category);
    void inboxChanges.run(stopping);
    const revocationSource = parts.trustServices?.revocationSource;
    const { own } = ofClients().relyingPartyRepositories;
    const reports = { scanReports: reportScans(parts), clientReports: reportClients(parts) };
    return deviceSessionUseCases({ ...session(), inboxChanges, revocationSource, own, ...reports });
  });
  const ofPersons = once(() => personSessionParts({ ...ofSessions(), subjectIds: ofIdentity().identityRepositories.subjectIds }));
  const ofRevokedDevices = once(() => {
    const useCases = sessionsOfRevokedDevices({ ...ofPersons(), revokedDevices: revokedDevices(ofIdentity()), log: parts.log });
    endSessions = useCases.endSessions;
    return useCases;
  });
  const deliveryRequests = once(() => new DeliveryRequests(parts.messageBus));
  const logoutRequests = once(() => requestLogouts(relyingParties().findClient, deliveryRequests(), clock));
  const erasures = once(() => {
    const further = sessionErasures(ofPersons());
    const leavePortal = (identityId: IdentityId): Promise<void> => administration().portalMembers.removePerson(identityId);
    const forgetPhones = (identityId: IdentityId): Promise<void> => administration().portalPhones.forget(identityId);
    const forgetPushes = (identityId: IdentityId): Promise<void> => subscriptions().erase(identityId);
    return erasureUseCases(ofIdentity(), {
      ...further,
      // The portal first: the person's rights end with the answer, whatever the other steps need.
      steps: [leavePortal, ...further.steps, forgetPushes, forgetPhones],
      late: [leavePortal],
      tellClients: (identityId, clientIds) => logoutRequests().execute(identityId, clientIds),
      streams: [...further.streams, pushSubscriptionsStream, (identityId) => PORTAL_PHONES.of(identityId)],
    });
  });

  const deliveries = once(() => {
    const endpoints = ofClients().relyingPartyRepositories.webhookEndpoints;
    const webhooks = { ...parts, endpoints };
    return { ...webhooks, ...deliveryRepositories(webhooks), requests: deliveryRequests() };
  });

  const operatorSessions = once(() => operatorSessionUseCases({ ...ofSessions(), findLivingPerson: identity().findLivingPerson }));

  return {
    identity,
    phones,
    /** The lists of clients, persons and devices. */
    lists,
    subjectMigrations: once(() => subjectMigrations({ ...ofIdentity(), linkSubject: identity().linkSubject })),
    erasures,
    /** After this call, a revocation in this process ends the sessions of the phone before it is answered. */
    sessionsOfRevokedDevices: ofRevokedDevices,
    relyingParties,
    logos: once(() => logoAdministration(ofClients())),
    administration,
    relyingPartySessions,
    /** How clients prove themselves by keys of their own. */
    clientKeys,
    openid: once(() =>
      openIdUseCases({ ...parts, signingKeys, ...openIdSessionUseCases(session()), ...relyingPartySessions(), ...relyingParties(), ...clientKeys() }),
    ),
    /** How persons end their logins at relying parties. */
    logouts: once(() => ({ logOutAtClient: new LogOutAtClient({ ...identity(), ...relyingParties(), requestLogouts: logoutRequests() }) })),
    loginPageSessions: once(() => loginPageSessionUseCases(session())),
    deviceSessions,
    portalSessions,
    operatorSessions,
    sessionTimers: once(() => sessionTimerUseCases(ofSessions())),
    /** Undefined without a status cache. */
    restoreCachedStatus: once(() => restoreCachedStatus(session())),
    /** Undefined where nothing is signed. */
    signing: once(
      () => parts.trustServices && signingUseCases({ ...session(), ...evidenceOf(parts.trustServices, settings), refusals: reportRefusals(parts) }),
    ),
    webhooks: once(() => webhookAdministration({ ...deliveries(), sessions: operatorSessions().findSessionsOfClient })),
    webhookDispatch: once(() => {
      const subjectOf = (clientId: ClientId, identityId: IdentityId): SubjectId =>
        ofIdentity().identityRepositories.subjectIds.of(clientId, identityId);
      const logoutTokens = new LogoutTokens(signingKeys, settings.issuerUrl, clock, parts.randomness);
      const notices = new OpenIdNotices({ ...relyingParties(), findBackchannelPing: findBackchannelPing(session()), logoutTokens, subjectOf });
      return webhookDispatch({ ...deliveries(), notices }, new DeliveryTelemetry(parts.log, parts.metrics));
    }),
    /** How relying parties hear of their sessions without an endpoint. */
    listening: once(() =>
      listening({ ...parts, report: (error) => parts.log.error('the listeners of clients were left', { component: 'listening', error }) }),
    ),
    pushesOfPhones: once(() => pushOfPhones({ ...parts, ...identity(), networks: parts.pushNetworks, subscriptions: subscriptions() })),
    /** Undefined where nothing is pushed. */
    pushDispatch: once(
      () => vapid && pushDispatch({ ...parts, post: parts.pushPost, vapid, subscriptions: subscriptions(), findDevice: identity().findDevice }),
    ),
    deadLetters: once(() => new DeadLetters(eventStore, parts.messageBus, clock, parts.publication)),
  };
};

const evidenceOf = ({ timestampAuthority, revocationSource, trustStore: trust }: TrustServices, { containerLevel }: PlatformParts['settings']) => ({
  collectEvidence: new CollectEvidence(timestampAuthority, revocationSource),
  archiveStamper: containerLevel === 'LTA' ? new ArchiveStamper(timestampAuthority, revocationSource) : undefined,
  trust,
});
