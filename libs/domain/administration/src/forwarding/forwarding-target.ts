import type { AuditEntry } from '../audit/list-audit-entries.js';

/** An entry of the audit trail as another system gets it. */
export interface ForwardedEntry extends Omit<AuditEntry, 'proof'> {
  /** The id of the event, the same each time that the entry is sent: by it a receiver knows what it has. */
  readonly eventId: string;
}

/** The target has not taken the entries. Its reason holds no text of the target. */
export class TargetUnavailable extends Error {}

/** Another system that keeps the audit trail. */
export abstract class ForwardingTarget {
  /** Names the target in metrics, in the log and in the place up to which it has the trail. */
  abstract readonly name: string;

  /** Resolves when the target has taken all entries, which are in their order. May be called again with some of them. Throws {@link TargetUnavailable}. */
  abstract send(entries: readonly ForwardedEntry[], signal: AbortSignal): Promise<void>;
}
