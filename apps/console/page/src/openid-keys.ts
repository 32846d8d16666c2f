import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import { field } from './parts.js';
import { type Json, objectOf, textOf } from './portal-api.js';

/** The fields for the keys of a relying party, or for the address at which it publishes them. */
export interface KeyFields {
  readonly elements: readonly HTMLElement[];
  /** What the person has changed, for the API. Undefined where the text is no JSON. */
  readonly changed: () => Json | undefined;
}

export const keyFields = (texts: Messages, client: Json): KeyFields => {
  const before = { keys: shownKeys(client), address: textOf(client, 'jwksUri') };
  const keys = el('textarea', { rows: 6, spellcheck: 'false', 'data-testid': 'jwks' });
  keys.value = before.keys;
  const address = el('input', { type: 'url', autocomplete: 'off', spellcheck: 'false', 'data-testid': 'jwks-uri' });
  address.value = before.address;
  return {
    elements: [el('p', { class: 'soft' }, texts.clientKeysText), field(texts.clientKeys, keys), field(texts.clientKeysAddress, address)],
    changed: () => {
      const isMoved = address.value.trim() !== before.address;
      const moved = isMoved ? { jwks_uri: address.value.trim() } : {};
      if (keys.value.trim() === before.keys) return moved;
      const jwks = keys.value.trim() === '' ? { keys: [] } : parsed(keys.value);
      return jwks && { ...moved, jwks };
    },
  };
};

/** A set of keys as the person may edit it; empty where there is none. */
const shownKeys = (client: Json): string => {
  const keys = objectOf(client, 'jwks')?.['keys'];
  return Array.isArray(keys) && keys.length > 0 ? JSON.stringify({ keys }, null, 2) : '';
};

const parsed = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
};
