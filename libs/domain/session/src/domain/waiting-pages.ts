import { constantTimeEqual, hmac, type Secret, type SessionId } from '#kernel';

/** The facts that a request tells about the browser that claims a hosted login. */
export interface ClaimingBrowser {
  /** One word of a fixed list; `system` too. */
  readonly browser?: string;
  readonly system?: string;
  /** A digit for the kind of the address, a space, and the network. */
  readonly network?: string | undefined;
}

/** The facts about the page that waits, as a phone shows them (specification/app.md#the-waiting-page). */
export interface WaitingPage {
  /** The browser that claimed the login, as the browser names itself. */
  readonly browser?: string;
  /** The system of that browser, as the browser names it. */
  readonly system?: string;
  /** Whether that browser is in the network of this phone. Absent if the service does not know. */
  readonly sameNetwork?: boolean;
}

/**
 * The `sealed` member of HandoffClaimed. It is stored as long as the session's stream, so it holds no address. It holds two bytes of a keyed hash of the
 * network, which differ in each session. Even with all keys, 65,536 IPv4 addresses fit these two bytes.
 */
export type SealedPage = {
  readonly browser?: string;
  readonly system?: string;
  /** The kind of the address, and the hash in base64url. */
  readonly network?: { readonly kind: string; readonly hash: string };
};

/** The length of the hash of a network, in bytes. Two networks look the same in 1 of 65,536 sessions. */
const HASH_LENGTH = 2;

/** The page on which a person waits for the phone: selects the facts about its browser that are stored, and the facts that the phone shows. */
export class WaitingPages {
  constructor(
    /** This key does not rotate, because a claim and its scan must give the same hash. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** The facts to store, undefined when nothing is known about the browser. */
  kept(sessionId: SessionId, { browser, system, network }: ClaimingBrowser): SealedPage | undefined {
    const page: SealedPage = {
      ...(browser !== undefined && { browser }),
      ...(system !== undefined && { system }),
      ...(network !== undefined && { network: { kind: kindOf(network), hash: this.#hash(sessionId, network).toString('base64url') } }),
    };
    return Object.keys(page).length === 0 ? undefined : page;
  }

  /**
   * The facts to show. `network` is the phone's; it is compared and not kept. A page that uses IPv6 and a phone that uses IPv4 may be in one house, so
   * `sameNetwork` is absent then.
   */
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
