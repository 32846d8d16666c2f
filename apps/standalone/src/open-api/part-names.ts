/** By name, the places of each object and each list of values that stands inside of other schemas: schema and field, `[]` for the entries of a list; of a parameter operation and parameter. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  // Of several prefixes.
  ErrorCode: ['ErrorAnswer.errorCode'],
  ErrorPayload: ['ErrorAnswer.payload'],
  SessionStatus: [
    'SessionState.status',
    'LoginState.status',
    'LoginDetails.status',
    'ClaimedLogin.status',
    'ListedSession.status',
    'getSession.since',
    'getLoginStatus.since',
    'listSessions.status',
  ],
  SignatureType: [
    'CreateSessionRequest.signature_type',
    'LoginDetails.signatureType',
    'ClaimedLogin.signatureType',
    'PendingSession.signatureType',
    'ScannedSession.signatureType',
    'SessionPreview.signatureType',
    'ListedSession.signatureType',
    'listSessions.signature_type',
  ],
  PushStatus: ['CreatedSession.pushStatus', 'LoginDetails.pushStatus', 'ClaimedLogin.pushStatus', 'PushedLogin.pushStatus'],
  SessionDocument: ['LoginDetails.documents[]', 'ClaimedLogin.documents[]', 'ScannedSession.documents[]'],

  // `/relying-party/v1`
  CodeChallengeMethod: ['CreateSessionRequest.code_challenge_method'],
  DocumentToSign: ['CreateSessionRequest.documents[]'],
  QrMode: ['CreatedSession.qrMode'],
  SignedDocument: ['SigningResult.documents[]'],
  SubjectMigration: ['SubjectMigrations.subjects[]'],

  // `/login-ui/v1`
  LoginEnd: ['LoginDetails.reason', 'ClaimedLogin.reason'],

  // `/app/v1`
  BlockedClient: ['BlockedClientList.clients[]'],
  ConfirmationStatus: ['Confirmation.status'],
  DeclineReason: ['DeclineSessionRequest.reason'],
  DeclinedStatus: ['DeclinedSession.status'],
  Device: ['DeviceList.devices[]'],
  DeviceStatus: ['Device.status', 'OwnDevice.status'],
  PendingSession: ['PendingSessionList.sessions[]'],
  RequestedProperties: ['ScannedSession.requested'],
  ScanVia: ['ScanSessionRequest.via'],
  SignatureAlgorithm: ['ScannedSession.signatureAlgorithm'],
  WaitingPage: ['ScannedSession.waitingPage'],

  // `/admin/v1`: clients
  Client: ['ClientPage.clients[]'],
  ClientAttribute: [
    'RegisterClientRequest.allowed_attributes[]',
    'ChangeClientRequest.allowed_attributes[]',
    'CreateClientRequest.allowed_attributes[]',
  ],
  ClientKey: ['ClientKeys.keys[]'],
  ClientKeyCurve: ['ClientKey.crv'],
  ClientKeyExponent: ['ClientKey.e'],
  ClientKeys: ['Client.jwks'],
  ClientKeyType: ['ClientKey.kty'],
  CloseName: ['CloseNameList.names[]', 'WaitingChange.closeNames[]', 'ClientWaitingChange.closeNames[]'],
  ClientWaitingChange: ['WaitingChangePage.changes[]'],
  DecidedChange: ['ClientChanges.decided'],
  IdTokenAlgorithm: [
    'RegisterClientRequest.id_token_signed_response_alg',
    'ChangeClientRequest.id_token_signed_response_alg',
    'CreateClientRequest.id_token_signed_response_alg',
    'Client.idTokenSignedResponseAlg',
  ],
  TokenEndpointAuthMethod: [
    'RegisterClientRequest.token_endpoint_auth_method',
    'ChangeClientRequest.token_endpoint_auth_method',
    'CreateClientRequest.token_endpoint_auth_method',
    'Client.tokenEndpointAuthMethod',
    'WaitingTerms.tokenEndpointAuthMethod',
  ],
  Logo: ['ClientLogo.shown', 'ClientLogo.waiting'],
  NameDifference: ['CloseName.differences[]'],
  WaitingChange: ['ClientChanges.waiting'],
  WaitingTerms: ['WaitingChange.changes', 'ClientWaitingChange.changes'],

  // `/sandbox/v1`
  RecordedWebhook: ['RecordedWebhooks.webhooks[]'],

  // Webhooks
  Delivery: ['DeliveryPage.deliveries[]'],
  DeliveryAttempt: ['Delivery.attempts[]'],
  DeliveryError: ['DeliveryAttempt.error'],
  DeliveryState: ['Delivery.state'],
  DisabledBecause: ['WebhookEndpoint.disabledBecause', 'AddedWebhookEndpoint.disabledBecause'],
  EventType: ['AddWebhookEndpointRequest.event_types[]', 'ChangeWebhookEndpointRequest.event_types[]'],
  UnconfirmedBecause: ['WebhookEndpoint.unconfirmedBecause', 'AddedWebhookEndpoint.unconfirmedBecause'],
  WebhookEndpoint: ['WebhookEndpointPage.webhookEndpoints[]'],
  WebhookEndpointState: ['WebhookEndpoint.state', 'AddedWebhookEndpoint.state'],

  // Identities and devices
  ErasureEvent: ['Erasure.events[]'],
  ErasureEventName: ['ErasureEvent.type'],
  ErasureState: ['Erasure.state'],
  ErasedReadModel: ['Erasure.readModel'],
  ErasedStream: ['Erasure.streams[]'],
  Identity: ['IdentityPage.identities[]', 'SandboxPhone.identity'],
  IdentityDevice: ['DevicePage.devices[]'],
  IdentityDeviceStatus: ['IdentityDevice.status'],

  // Operations
  AdminRole: [
    'AddAdminTokenRequest.role',
    'ChangeStaffRequest.roles[]',
    'InviteStaffRequest.roles[]',
    'AdminToken.role',
    'Member.roles[]',
    'PendingInvitation.roles[]',
  ],
  AdminToken: ['AdminTokenPage.adminTokens[]'],
  Approval: ['WaitingApproval.approval'],
  ApprovalStatus: ['ApprovalState.state'],
  AuditEntry: ['AuditPage.entries[]'],
  AuditPhase: ['AuditEntry.phase'],
  AuditProof: ['AuditEntry.proof'],
  AuditProofState: ['AuditProof.state'],
  BreakGlass: ['BreakGlassState.breakGlass'],
  BreakGlassStatus: ['BreakGlass.status'],
  ChangeSignature: ['AuditEntry.statements[]'],
  ClientRole: ['ChangeMemberRequest.role', 'InviteMemberRequest.role', 'Member.role', 'PendingInvitation.role'],
  ClientTimelineEntry: ['ClientSessionTimeline.events[]'],
  DeadLetterGroup: ['Health.deadLetters[]'],
  FailingBecause: ['FailingWebhookEndpoint.disabledBecause'],
  FailingWebhookEndpoint: ['Health.webhookEndpoints[]'],
  FinishedBy: ['TimelineEntry.finishedBy', 'ClientTimelineEntry.finishedBy'],
  FunnelDay: ['LoginFunnel.days[]'],
  FunnelEnds: ['FunnelDay.ended'],
  Key: ['KeyList.keys[]'],
  KeyRotation: ['KeyList.subjectMigration'],
  ListedSession: ['SessionPage.sessions[]'],
  Member: ['Team.members[]'],
  NewPhone: ['Team.newPhones[]'],
  PendingInvitation: ['Team.invitations[]'],
  PortalPhone: ['PortalPhoneList.phones[]'],
  PortalSession: ['PortalSessionList.sessions[]'],
  Projection: ['ProjectionList.projections[]'],
  ProjectionBacklog: ['Health.projections[]'],
  PublicKey: ['ChangeSignature.publicKey'],
  SessionEnd: ['ListedSession.reason'],
  TimelineEntry: ['SessionTimeline.events[]'],
  TimelineReason: ['TimelineEntry.reason', 'ClientTimelineEntry.reason'],
  TrueOrFalse: ['listAuditEntries.proofs'],
  TrustService: ['TrustServiceHealth.service'],
  TrustServiceHealth: ['Health.trustServices[]'],

  // Sandbox
  Persona: ['CreatePhoneRequest.persona', 'SandboxPhone.persona'],
};

/** The name of the schema at each place. */
export const PART_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(PLACES).flatMap(([name, places]) => places.map((place) => [place, name])),
);
