import type { Clock, Randomness, RingKey } from '#kernel';
import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { Projections } from '#engines/read-model';

import { ChangeLogo } from './logo/change-logo.js';
import { OwnClient } from './domain/own-client.js';
import { ClientLogos } from './logo/client-logos.js';
import { FindLogo } from './logo/find-logo.js';
import type { PictureDecoder } from './logo/picture-decoder.js';
import { AuthenticateClient } from './use-cases/authenticate-client.js';
import { ChangeClient } from './use-cases/change-client.js';
import { ClientConsent } from './repositories/client-consent.js';
import { ClientNames } from './repositories/client-names.js';
import { ClientRecords } from './repositories/client-records.js';
import { Clients } from './repositories/clients.js';
import { DeleteClient } from './use-cases/delete-client.js';
import { EnableClient } from './use-cases/enable-client.js';
import { FindClient } from './use-cases/find-client.js';
import { FindSecretAge } from './use-cases/find-secret-age.js';
import { IssueSecret } from './use-cases/issue-secret.js';
import { clientsProjection } from './read-models/clients-projection.js';
import { FindCloseNames } from './read-models/find-close-names.js';
import { ListClients } from './read-models/list-clients.js';
import { ListWaitingChanges } from './read-models/list-waiting-changes.js';
import { KeepClient } from './use-cases/keep-client.js';
import { KeepOwnClient } from './use-cases/keep-own-client.js';
import { RegisterClient } from './use-cases/register-client.js';
import { WebhookEndpoints } from './repositories/webhook-endpoints.js';

/** The dependencies of the use cases: the parts of the process that they run in. */
export interface RelyingPartyParts {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey };
  readonly settings: { readonly environment: string; readonly logoApproval?: boolean; readonly clientConsent?: boolean };
}

export type RelyingPartyRepositories = ReturnType<typeof relyingPartyRepositories>;

interface WithRepositories {
  readonly relyingPartyRepositories: RelyingPartyRepositories;
}

/** The repositories of clients, with their caches. `recordLife`: how long {@link ClientRecords} uses a record, in milliseconds. */
export const relyingPartyRepositories = ({ eventStore, unitOfWork, keys, settings }: Omit<RelyingPartyParts, 'randomness'>, recordLife: number) => {
  const own = new OwnClient(keys.index, settings.environment);
  const clients = new Clients(unitOfWork, own);
  return {
    own,
    records: new ClientRecords(unitOfWork, recordLife),
    clients,
    names: new ClientNames(unitOfWork, keys.index.key, own),
    logos: new ClientLogos(eventStore, unitOfWork),
    webhookEndpoints: new WebhookEndpoints(clients),
  };
};

export type RelyingPartyUseCases = ReturnType<typeof relyingPartyUseCases>;

export const relyingPartyUseCases = (parts: RelyingPartyParts & WithRepositories) => {
  const { unitOfWork, clock, randomness, settings, relyingPartyRepositories: repositories } = parts;
  const { own, records, clients, names, logos } = repositories;
  const { recordLife } = records;
  const keepClient = new KeepClient(unitOfWork, clock, recordLife);
  return {
    /** The service's own client. */
    ownClient: own,
    findClient: new FindClient(records),
    findLogo: new FindLogo(records, logos),
    authenticateClient: new AuthenticateClient(records),
    registerClient: new RegisterClient(clients, clock, randomness, names),
    keepClient,
    keepOwnClient: new KeepOwnClient(keepClient, own),
    changeClient: new ChangeClient(clients, clock, names),
    clientConsent: new ClientConsent(clients, clock, randomness, names, settings.clientConsent ?? false),
    deleteClient: new DeleteClient(clients, clock, logos, recordLife),
    enableClient: new EnableClient(clients, clock, recordLife),
    findSecretAge: new FindSecretAge(unitOfWork),
    issueSecret: new IssueSecret(clients, clock, randomness, recordLife),
  };
};

/** The changes of logos, for the process that takes uploads. */
export const logoAdministration = ({
  clock,
  settings,
  pictureDecoder: decoder,
  relyingPartyRepositories: { clients, logos },
}: Pick<RelyingPartyParts, 'clock' | 'settings'> & WithRepositories & { readonly pictureDecoder: PictureDecoder }) => ({
  changeLogo: new ChangeLogo({ clients, logos, clock, decoder, needsApproval: settings.logoApproval ?? true }),
});

/** The lists of clients. */
export const clientLists = (projections: Projections, { own }: Pick<RelyingPartyRepositories, 'own'>) => {
  const model = projections.follow(clientsProjection);
  return {
    listClients: new ListClients(model, own),
    listWaitingChanges: new ListWaitingChanges(model),
    findCloseNames: new FindCloseNames(model, own),
  };
};
