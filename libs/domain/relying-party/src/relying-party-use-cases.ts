import type { Clock, Randomness, RingKey } from '#kernel';
import type { EventStore, UnitOfWork } from '#engines/event-store';

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
import { KeepOwnClient } from './use-cases/keep-own-client.js';
import { RegisterClient } from './use-cases/register-client.js';

/** The dependencies of the use cases: the parts of the process that they run in. */
export interface RelyingPartyParts {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly index: RingKey };
  readonly settings: { readonly environment: string; readonly logoApproval?: boolean; readonly clientConsent?: boolean };
  /** Those of the process. Default: new ones, for a store of this process alone. */
  readonly clientRecords?: ClientRecords | undefined;
}

/** Replicas use a client's record for this time, in milliseconds; a single process reads it every time (specification/admin.md#secrets). */
const RECORD_LIFE_IN_REPLICAS = 1_000;

/** The records of clients, with their cache. A process has them once. `isShared`: other processes append to the store. */
export const clientRecordsOf = (unitOfWork: UnitOfWork, isShared: boolean): ClientRecords =>
  new ClientRecords(unitOfWork, isShared ? RECORD_LIFE_IN_REPLICAS : 0);

export const relyingPartyUseCases = (parts: RelyingPartyParts) => {
  const { eventStore, unitOfWork, clock, randomness, keys, settings } = parts;
  const records = parts.clientRecords ?? clientRecordsOf(unitOfWork, false);
  const { recordLife } = records;
  const own = new OwnClient(keys.index, settings.environment);
  const clients = new Clients(unitOfWork, own);
  const names = new ClientNames(eventStore, clock, keys.index.key, own);
  const logos = new ClientLogos(eventStore, unitOfWork);
  return {
    findClient: new FindClient(records),
    findLogo: new FindLogo(records, logos),
    authenticateClient: new AuthenticateClient(records),
    registerClient: new RegisterClient(clients, clock, randomness, names),
    keepOwnClient: new KeepOwnClient(unitOfWork, clock, { own, names, logos, recordLife }),
    changeClient: new ChangeClient(clients, clock, names),
    clientConsent: new ClientConsent(clients, clock, randomness, names, settings.clientConsent ?? false),
    deleteClient: new DeleteClient(clients, clock, logos, recordLife),
    enableClient: new EnableClient(clients, clock, recordLife),
    findSecretAge: new FindSecretAge(eventStore),
    issueSecret: new IssueSecret(clients, clock, randomness, recordLife),
  };
};

/** The changes of logos, for the process that takes uploads. */
export const logoAdministration = ({
  eventStore,
  unitOfWork,
  clock,
  keys,
  settings,
  pictureDecoder: decoder,
}: Omit<RelyingPartyParts, 'randomness'> & { readonly pictureDecoder: PictureDecoder }) => ({
  changeLogo: new ChangeLogo({
    records: new ClientRecords(unitOfWork),
    logos: new ClientLogos(eventStore, unitOfWork),
    clock,
    own: new OwnClient(keys.index, settings.environment),
    decoder,
    needsApproval: settings.logoApproval ?? true,
  }),
});
