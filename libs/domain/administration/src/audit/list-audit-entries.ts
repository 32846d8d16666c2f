import type { EventStore, RecordedEvent } from '#engines/event-store';
import type { EventProof, ProvenEvents } from '#engines/transparency-log';

import type { AdminChange, AuditEvent, ChangeSignature } from './audit-events.js';
import { AUDIT_STREAM } from '../streams.js';
import { auditDataText } from './audit-trail.js';

/** Whether the published history has the entry. */
export type EntryProof =
  | (EventProof & {
      readonly state: 'PROVEN';
      /** The JSON with whose SHA-256 the leaf ends. */
      readonly data: string;
    })
  /** The entry is younger than the checkpoint. */
  | { readonly state: 'PENDING' };

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
  /** Where proofs were asked for and checkpoints are made. */
  readonly proof?: EntryProof;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** What the proofs are of: a signed note (C2SP tlog-checkpoint). Absent without proofs, and before the first checkpoint. */
  readonly checkpoint?: string;
  /** The `after` of the next page; absent on the last page. */
  readonly next?: number;
}

export interface AuditQuery {
  readonly limit: number;
  /** Only entries before this sequence. */
  readonly after?: number | undefined;
  /** With the proof of each entry. Default: without. */
  readonly proofs?: boolean;
}

export class ListAuditEntries {
  constructor(
    private readonly store: EventStore,
    /** The published history. Undefined where no checkpoints are made. */
    private readonly history?: { prove(events: readonly RecordedEvent[]): ProvenEvents },
  ) {}

  /** The newest first. Throws StreamRefused where the trail was tampered with, or has lost an entry that this process has written or read. */
  async execute({ limit, after, proofs = false }: AuditQuery): Promise<AuditPage> {
    // Nothing lies before the first entry; the read still checks the trail.
    const from = after === undefined ? {} : { from: Math.max(0, after - 1) };
    const read = await this.store.read<AuditEvent>(AUDIT_STREAM, { direction: 'backwards', limit, ...from });
    const events = after === 0 ? [] : read;
    const last = events.at(-1);
    const entries = events.map(({ revision, type, data }) => ({ sequence: revision, phase: PHASES[type], ...data }));
    return {
      ...(proofs && this.history ? proven(entries, events, this.history.prove(events)) : { entries }),
      ...(last && last.revision > 0 && { next: last.revision }),
    };
  }
}

/** By the type of the event. */
export const PHASES = { AdminChangeBegun: 'BEGUN', AdminChangeApproved: 'APPROVED', AdminChangeEnded: 'ENDED' } as const;

const proven = (
  entries: readonly AuditEntry[],
  events: readonly RecordedEvent<AuditEvent>[],
  { checkpoint, proofs }: ProvenEvents,
): Pick<AuditPage, 'entries' | 'checkpoint'> => ({
  entries: entries.map((entry, index) => ({ ...entry, proof: entryProof(proofs[index], events[index]) })),
  ...(checkpoint !== undefined && { checkpoint }),
});

const entryProof = (proof: EventProof | undefined, event: RecordedEvent<AuditEvent> | undefined): EntryProof => {
  if (!proof || !event) return { state: 'PENDING' };
  return { state: 'PROVEN', ...proof, data: auditDataText(event.data) };
};
