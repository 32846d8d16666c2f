import type { Clock, Randomness, RingKey } from '#kernel';
import type { EventStore } from '#event-store';

import { AuthenticateClient } from './use-cases/authenticate-client.js';
import { ChangeClient } from './use-cases/change-client.js';
import { ClientNames } from './use-cases/client-names.js';
import { ClientRecords } from './use-cases/client-records.js';
import { FindClient } from './use-cases/find-client.js';
import { IssueSecret } from './use-cases/issue-secret.js';
import { RegisterClient } from './use-cases/register-client.js';

/** What the use cases need of the process they run in. */
export interface RelyingPartyParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly subject: RingKey };
  readonly settings: { readonly esdbUrl?: string };
}

/** With one process every look at a client is exact; replicas trust what they read for a second (api-extensions section 5). */
const TRUST_OF_REPLICAS = 1_000;

export const relyingPartyUseCases = ({ eventStore, clock, randomness, keys, settings }: RelyingPartyParts) => {
  const trustFor = settings.esdbUrl === undefined ? 0 : TRUST_OF_REPLICAS;
  const records = new ClientRecords(eventStore, clock, trustFor);
  const names = new ClientNames(eventStore, clock, randomness, keys.subject.key);
  return {
    findClient: new FindClient(records),
    authenticateClient: new AuthenticateClient(records),
    registerClient: new RegisterClient(eventStore, clock, randomness, names),
    changeClient: new ChangeClient(eventStore, clock, randomness, names),
    issueSecret: new IssueSecret(eventStore, clock, randomness, trustFor),
  };
};
