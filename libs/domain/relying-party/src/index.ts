export { ClientNotFound, EndpointNotConfirmed, EndpointNotFound, NameTaken } from './domain/client.errors.js';
export { OwnClient, portalClientId } from './domain/own-client.js';
export type { ClientLogo, Logo } from './domain/client-logo.js';
export {
  type Client,
  type ClientTerms,
  CONSENT_TERMS,
  FAPI_ALGORITHMS,
  hasProtection,
  ID_TOKEN_ALGORITHMS,
  type IdTokenAlgorithm,
  PROTECTIONS,
  provesByKeysAlone,
  TOKEN_ENDPOINT_AUTH_METHODS,
  type TokenEndpointAuthMethod,
  type WaitingChange,
  takesLogouts,
} from './domain/client.js';
export { type ClientKey, clientKeysIn, keyDigest, publishedKeysIn } from './domain/client-keys.js';
export { CLIENT_LIMITS } from './domain/client-terms.js';
export { LONGEST_REDIRECT_URI } from './domain/redirect-uri.js';
export { ALLOWABLE_PREDICATE, allows, ATTRIBUTE_NAMES, isAttributeName, parsePredicate, type RequestedProperties } from './domain/properties.js';
export {
  type DisabledBecause,
  isFor,
  MAX_ENDPOINTS,
  signingSecrets,
  type UnconfirmedBecause,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
  type WebhookEventType,
  type WebhookTerms,
} from './domain/webhook-endpoint.js';
export { needsProof } from './domain/webhook-decisions.js';
export { ChangeLogo } from './logo/change-logo.js';
export { FindLogo } from './logo/find-logo.js';
export { PictureDecoder } from './logo/picture-decoder.js';
export { clientsProjection } from './read-models/clients-projection.js';
export { type CloseName, FindCloseNames } from './read-models/find-close-names.js';
export { ListClients } from './read-models/list-clients.js';
export { ListWaitingChanges } from './read-models/list-waiting-changes.js';
export {
  clientLists,
  logoAdministration,
  type RelyingPartyParts,
  relyingPartyRepositories,
  relyingPartyUseCases,
  type RelyingPartyUseCases,
} from './relying-party-use-cases.js';
export { ChangeClient } from './use-cases/change-client.js';
export { ClientConsent } from './repositories/client-consent.js';
export { DeleteClient } from './use-cases/delete-client.js';
export { EnableClient } from './use-cases/enable-client.js';
export { FindClient } from './use-cases/find-client.js';
export { FindSecretAge } from './use-cases/find-secret-age.js';
export { IssueSecret } from './use-cases/issue-secret.js';
export { KeepOwnClient } from './use-cases/keep-own-client.js';
export { RegisterClient, type Registration } from './use-cases/register-client.js';
export { WebhookEndpoints } from './repositories/webhook-endpoints.js';
export { CLIENTS, clientStream, RELYING_PARTY_STREAMS } from './streams.js';
