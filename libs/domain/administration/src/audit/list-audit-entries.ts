import type { EventStore } from '#engines/event-store';

import type { AdminChange, AuditEvent, ChangeSignature } from './audit-events.js';
import { AUDIT_STREAM } from '../streams.js';

/** One line of the audit trail. */
export interface AuditEntry extends AdminChange {
  /** The place in the trail; without holes. */
  readonly sequence: number;
  readonly phase: 'BEGUN' | 'APPROVED' | 'ENDED';
  /** Epoch milliseconds. */
  readonly at: number;
  /** Only with APPROVED: what the persons have signed on their phones. */
  readonly statements?: readonly ChangeSignature[];
  /** The HTTP status of the answer; only with ENDED. */
  readonly status?: number;
  readonly errorCode?: string;
  /** Of a read: the identities whose data it answered. */
  readonly persons?: readonly string[];
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The `after` of the next page; absent on the last page. */
  readonly next?: number;
}

export class ListAuditEntries {
  constructor(private readonly store: EventStore) {}

  /**
   * The newest first. `after`: only entries before this sequence. Throws StreamRefused where the trail was tampered with, or has lost an entry that this process
   * has written or read.
   */
  async execute(limit: number, after?: number): Promise<AuditPage> {
    // Nothing lies before the first entry; the read still checks the trail.
    const from = after === undefined ? {} : { from: Math.max(0, after - 1) };
    const read = await this.store.read<AuditEvent>(AUDIT_STREAM, { direction: 'backwards', limit, ...from });
    const events = after === 0 ? [] : read;
    const last = events.at(-1);
    return {
      entries: events.map(({ revision, type, data }) => ({ sequence: revision, phase: PHASES[type], ...data })),
      ...(last && last.revision > 0 && { next: last.revision }),
    };
  }
}

const PHASES = { AdminChangeBegun: 'BEGUN', AdminChangeApproved: 'APPROVED', AdminChangeEnded: 'ENDED' } as const;
