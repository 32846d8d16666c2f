import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import { field } from './parts.js';
import { type Json, textOf } from './portal-api.js';

interface Address {
  /** The field of the API, and the member of the client that it sets. */
  readonly name: string;
  readonly member: string;
  readonly text: 'notificationAddress' | 'logoutAddress';
  readonly id: string;
}

const ADDRESSES: readonly Address[] = [
  {
    name: 'backchannel_client_notification_endpoint',
    member: 'backchannelClientNotificationEndpoint',
    text: 'notificationAddress',
    id: 'notification-address',
  },
  { name: 'backchannel_logout_uri', member: 'backchannelLogoutUri', text: 'logoutAddress', id: 'logout-address' },
];

/** The fields for the addresses to which the service posts for OpenID Connect. */
export interface AddressFields {
  readonly elements: readonly HTMLElement[];
  /** What the person has changed, for the API. An empty text ends the address. */
  readonly changed: () => Json;
}

export const addressFields = (texts: Messages, client: Json): AddressFields => {
  const fields = ADDRESSES.map(({ name, member, text, id }) => {
    const before = textOf(client, member);
    const input = el('input', { type: 'url', autocomplete: 'off', spellcheck: 'false', 'data-testid': id });
    input.value = before;
    return { name, before, input, element: field(texts[text], input) };
  });
  return {
    elements: fields.map(({ element }) => element),
    changed: () =>
      Object.fromEntries(fields.filter(({ before, input }) => input.value.trim() !== before).map(({ name, input }) => [name, input.value.trim()])),
  };
};
