import { decideOnLast, lastEventOf, readLast, type StreamName, type UnitOfWork } from '#engines/event-store';
import type { Clock } from '#kernel';

import type { AuditEvent } from '../audit/audit-events.js';
import { PHASES } from '../audit/list-audit-entries.js';
import { AUDIT_FORWARDING, AUDIT_STREAM, type AuditForwarded } from '../streams.js';
import type { ForwardingTarget, ForwardedEntry } from './forwarding-target.js';

/** The most entries of one message. */
const BATCH = 100;

const FORWARDED = lastEventOf<AuditForwarded>(AUDIT_FORWARDING);

export interface ForwardingParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly target: ForwardingTarget;
  /** Told how many milliseconds the oldest entry is old that the target lacks, before each message and when it lacks none. */
  readonly lags?: (milliseconds: number) => void;
  /** Told how many entries the target has taken. */
  readonly sent?: (count: number) => void;
}

/**
 * Sends the audit trail to another system, in its order, from where it has stopped: the place is stored after the target has taken the entries. So nothing is left out, whenever the process ends, and what
 * was sent last may be sent again.
 */
export class ForwardAuditTrail {
  readonly #place: StreamName;

  constructor(private readonly parts: ForwardingParts) {
    this.#place = AUDIT_FORWARDING.of(parts.target.name);
  }

  /** Sends what the target lacks, until it lacks nothing. Throws TargetUnavailable, StreamRefused, ServiceUnavailable, and the reason of the signal. */
  async execute(signal: AbortSignal): Promise<void> {
    const { unitOfWork, target, lags, sent, clock } = this.parts;
    for (;;) {
      signal.throwIfAborted();
      const { last } = await readLast<AuditForwarded>(unitOfWork.store, this.#place);
      const entries = await this.#after(last?.data.sequence);
      const newest = entries.at(-1);
      lags?.(entries[0] ? Math.max(0, clock.now() - entries[0].at) : 0);
      if (!newest) return;
      await target.send(entries, signal);
      await this.#move(newest);
      sent?.(entries.length);
    }
  }

  async #after(sequence = -1): Promise<readonly ForwardedEntry[]> {
    const events = await this.parts.unitOfWork.store.read<AuditEvent>(AUDIT_STREAM, { from: sequence + 1, limit: BATCH });
    return events.map(({ id, revision, type, data }) => ({ eventId: id, sequence: revision, phase: PHASES[type], ...data }));
  }

  /** Forward, never back, also when another process moves it at the same time. */
  async #move({ sequence, eventId }: ForwardedEntry): Promise<void> {
    const { unitOfWork, clock } = this.parts;
    await decideOnLast(unitOfWork, { type: FORWARDED, stream: this.#place }, async (last): Promise<readonly AuditForwarded[]> => {
      if (last && last.data.sequence >= sequence) return [];
      if (!last) await AUDIT_FORWARDING.retain(unitOfWork.store, this.#place);
      return [{ type: 'AuditForwarded', data: { at: clock.now(), sequence, eventId } }];
    });
  }
}
