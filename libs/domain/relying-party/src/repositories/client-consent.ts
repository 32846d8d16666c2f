import type { ClientId, Clock, Randomness } from '#kernel';

import type { ChangeDecision, Client, ClientState, ClientTerms, WaitingChange } from '../domain/client.js';
import { waitingChange } from '../domain/client-consent.js';
import { registered } from '../domain/registered.js';
import type { ClientNames } from './client-names.js';
import type { Clients } from './clients.js';

/** Changes by members that wait for an operator's consent (specification/admin.md#consent-to-changes). Every method throws {@link ClientNotFound}; those that change something, {@link OwnClientRefused}. */
export class ClientConsent {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly names: ClientNames,
    /** Whether a member's change of what people see, or of what the client may do, waits for consent. */
    readonly isRequired: boolean,
  ) {}

  /** The change that waits, and the decision on the last one. */
  async find(clientId: ClientId): Promise<{ readonly waiting?: WaitingChange; readonly decided?: ChangeDecision }> {
    const { waiting, decided } = registered((await this.clients.load(clientId)).state);
    return { ...(waiting && { waiting }), ...(decided && { decided }) };
  }

  /** Asks for the changes. Those that need no consent take effect at once. Answers the client as it is now. Throws {@link InvalidRequest}. */
  async ask(clientId: ClientId, changes: Partial<ClientTerms>, by: string): Promise<Client> {
    const changeId = this.randomness.uuid();
    const { state } = await this.clients.handle(clientId, () => ({
      type: 'AskClientChange',
      now: this.clock.now(),
      by,
      changeId,
      changes,
    }));
    return clientOf(clientId, state);
  }

  /** Throws {@link ChangeNotFound} when no change waits. */
  async withdraw(clientId: ClientId, by: string): Promise<void> {
    await this.clients.handle(clientId, () => ({ type: 'WithdrawClientChange', now: this.clock.now(), by }));
  }

  /**
   * The change takes effect. Throws {@link ChangeNotFound} when another change waits, or none, and {@link NameTaken}; the change then goes on waiting. After a
   * crash, or when the change was withdrawn at the same moment, the client holds the new name too until it is renamed again.
   */
  async accept(clientId: ClientId, changeId: string, by: string): Promise<Client> {
    let freeOldName = async (): Promise<void> => {};
    const { state } = await this.clients.handle(clientId, async (client) => {
      const now = registered(client);
      const { name } = waitingChange(now, changeId).changes;
      if (name !== undefined) freeOldName = await this.names.exchange(now.terms.name, name, clientId);
      return { type: 'AcceptClientChange', now: this.clock.now(), by, changeId };
    });
    await freeOldName();
    return clientOf(clientId, state);
  }

  /** Nothing changes. Throws {@link ChangeNotFound} when another change waits, or none. */
  async refuse(clientId: ClientId, changeId: string, by: string): Promise<void> {
    await this.clients.handle(clientId, () => ({ type: 'RefuseClientChange', now: this.clock.now(), by, changeId }));
  }
}

const clientOf = (clientId: ClientId, state: ClientState): Client => {
  const { terms, enabled } = registered(state);
  return { clientId, ...terms, enabled };
};
