import type { Clock } from '#kernel';

import type { ScanVia } from './domain/session.events.js';
import { UnusualCounts } from './domain/unusual-counts.js';
import type { WaitingPage } from './domain/waiting-pages.js';

interface UnusualScans {
  readonly of: 'client' | 'network';
  /** Present when the scans are of one client's sessions. */
  readonly clientId?: string;
  /** In the five minutes so far. */
  readonly count: number;
}

/** Receives reports about scans for the metrics and the log. They hold no address. */
export interface ScanReports {
  /** A session was scanned for the first time. `network`: whether the waiting page and the phone are in the same network. */
  scanned(scan: { readonly via: ScanVia | 'qr'; readonly network: 'same' | 'other' | 'unknown' }): void;
  /** Devices try far more scans than usual of one client's sessions, or from one network. */
  unusual(scans: UnusualScans): void;
}

/**
 * Watches the scans of this replica (docs/security/cross-device.md): relayed logins cause many scans of one client's sessions, or from one network. It keeps
 * networks only in memory.
 */
export class ScanWatch {
  readonly #clients: UnusualCounts;
  readonly #networks: UnusualCounts;

  constructor(
    private readonly clock: Clock,
    private readonly reports: ScanReports,
  ) {
    const began = clock.monotonic();
    this.#clients = new UnusualCounts(began);
    this.#networks = new UnusualCounts(began);
  }

  /** Counts that a device tries to scan a session that it has not scanned before, whatever the outcome. */
  tried(clientId: string, network: string | undefined): void {
    const now = this.clock.monotonic();
    const ofClient = this.#clients.add(clientId, now);
    if (ofClient !== undefined) this.reports.unusual({ of: 'client', clientId, count: ofClient });
    const ofNetwork = network === undefined ? undefined : this.#networks.add(network, now);
    if (ofNetwork !== undefined) this.reports.unusual({ of: 'network', count: ofNetwork });
  }

  scanned(via: ScanVia | undefined, page: WaitingPage | undefined): void {
    const { sameNetwork } = page ?? {};
    this.reports.scanned({ via: via ?? 'qr', network: sameNetwork === undefined ? 'unknown' : sameNetwork ? 'same' : 'other' });
  }
}
