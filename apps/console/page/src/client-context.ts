import type { Json } from './portal-api.js';

/** What the view of a relying party needs beside it. */
export interface ClientContext {
  readonly baseUrl: string;
  /** The portal's own client, which logins to the portal need. */
  readonly ownClientId: string;
  /** Of the person at the page; none of a member who is no staff. */
  readonly roles: readonly string[];
  /** The answer of the API about the change that waits for consent. */
  readonly consent: Json;
  /** Whether a member's change waits for consent. */
  readonly needsConsent: boolean;
  readonly openEndpoint: (endpointId: string) => void;
  /** Draws the view again, with this text. */
  readonly reload: (text: string) => Promise<void>;
  /** The relying party was deleted: back to all of them. */
  readonly gone: () => Promise<void>;
}

/** With the path of the relying party in the API. */
export type PartContext = ClientContext & { readonly path: string };
