import type { Json } from './portal-api.js';

/** The context of the view of a relying party: the rights of the person at the page, and what the page offers to the parts. */
export interface ClientContext {
  readonly baseUrl: string;
  /** Of OpenID Connect. */
  readonly issuerUrl: string;
  /** The secret of a relying party that the person has registered just now: shown once. */
  readonly newSecret?: string | undefined;
  /** The roles of the person at the page. Empty for a member who is not staff. */
  readonly roles: readonly string[];
  /** The answer of the API about the change that waits for consent. */
  readonly consent: Json;
  /** Whether a member's change waits for consent. */
  readonly needsConsent: boolean;
  readonly openEndpoint: (endpointId: string) => void;
  /** Draws the view again, with this text. */
  readonly reload: (text: string) => Promise<void>;
  /** Returns to the list of relying parties after this one was deleted. */
  readonly gone: () => Promise<void>;
}

/** With the path of the relying party in the API. */
export type PartContext = ClientContext & { readonly path: string };
