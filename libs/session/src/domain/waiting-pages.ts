import { constantTimeEqual, hmac, type Secret, type SessionId } from '#kernel';

/** The browser that claims a hosted login, as the request tells it. */
export interface ClaimingBrowser {
  /** One word each, of a fixed list. */
  readonly browser?: string;
  readonly system?: string;
  /** A digit for the kind of the address, a blank, and the network. */
  readonly network?: string | undefined;
}

/** The facts about the page that waits, as a phone shows them (specification/app.md#the-waiting-page). */
export interface WaitingPage {
  readonly browser?: string;
  readonly system?: string;
  /** Whether the page and the phone are in one network. Absent where the service cannot tell. */
  readonly sameNetwork?: boolean;
}

/**
 * The `sealed` member of HandoffClaimed. It stays as long as the session's stream, so it holds no address: the network is two bytes of a keyed hash that means
 * nothing in another session. Even with all keys, 65,536 IPv4 addresses fit it.
 */
export type SealedPage = {
  readonly browser?: string;
  readonly system?: string;
  /** The kind of the address, and the hash in base64url. */
  readonly network?: { readonly kind: string; readonly hash: string };
};

/** Of the hash of a network, in bytes. Two networks pass for one in 1 of 65,536 sessions. */
const HASH_LENGTH = 2;

/** The page on which a person waits for the phone: what is kept of its browser, and what the phone may say about it. */
export class WaitingPages {
  constructor(
    /** Does not rotate: a claim and its scan must hash alike. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** Undefined when nothing is known. */
  kept(sessionId: SessionId, { browser, system, network }: ClaimingBrowser): SealedPage | undefined {
    const page: SealedPage = {
      ...(browser !== undefined && { browser }),
      ...(system !== undefined && { system }),
      ...(network !== undefined && { network: { kind: kindOf(network), hash: this.#hash(sessionId, network).toString('base64url') } }),
    };
    return Object.keys(page).length === 0 ? undefined : page;
  }

  /** `network`: of the phone. It is compared and not kept. A page by IPv6 and a phone by IPv4 may be in one house: then nothing is said. */
  shown(sessionId: SessionId, { browser, system, network: of }: SealedPage, network: string | undefined): WaitingPage {
    const sameNetwork =
      of === undefined || network === undefined || of.kind !== kindOf(network)
        ? undefined
        : constantTimeEqual(Buffer.from(of.hash, 'base64url'), this.#hash(sessionId, network));
    return {
      ...(browser !== undefined && { browser }),
      ...(system !== undefined && { system }),
      ...(sameNetwork !== undefined && { sameNetwork }),
    };
  }

  #hash(sessionId: SessionId, network: string): Buffer {
    return hmac(this.key.reveal(), 'waiting-page-network', sessionId, network).subarray(0, HASH_LENGTH);
  }
}

const kindOf = (network: string): string => network.split(' ', 1)[0] ?? '';
