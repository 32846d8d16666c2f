import type { SessionConfirmed, SessionEvent } from './domain/session.events.js';

/** How a signature's wait for its container has ended: the container is there, or the time for building it is over. */
export interface ContainerWait {
  readonly outcome: 'built' | 'late';
  /** From the approval on. */
  readonly milliseconds: number;
}

/**
 * The wait that ends with the last of a session's events. Undefined when that event ends no wait, and when the container was refused or the signature
 * abandoned before its time was over. The events may have the times of two processes whose clocks differ.
 */
export const containerWaitOf = (events: readonly SessionEvent[]): ContainerWait | undefined => {
  const last = events.at(-1);
  if (last?.type !== 'SessionCompleted' && last?.type !== 'SessionCancelled') return undefined;
  const { at, buildExpiresAt } = events.find((event) => event.type === 'SessionConfirmed')?.data ?? NO_APPROVAL;
  if (buildExpiresAt === undefined) return undefined;
  const outcome = last.type === 'SessionCompleted' ? 'built' : 'late';
  if (outcome === 'late' && last.data.at < buildExpiresAt) return undefined;
  return { outcome, milliseconds: Math.max(0, last.data.at - at) };
};

const NO_APPROVAL: SessionConfirmed['data'] = { at: 0 };
