import type { Answers } from './answers.js';

type Json = Readonly<Record<string, unknown>>;
type Entry = Answers['GET /app/v1/session/pending']['sessions'][number];

/** A session that was pushed to the person. Its name and kind are absent on a locked phone, and if the service does not answer them. */
export interface PushedSession extends Omit<Entry, 'signatureType' | 'change'> {
  readonly signing?: boolean;
  /** It is a change of the service, to be approved. */
  readonly change?: boolean;
}

export const readPending = ({ sessions }: Json): readonly PushedSession[] | undefined =>
  Array.isArray(sessions) ? sessions.flatMap(readPushed) : undefined;

const readPushed = (json: unknown): readonly PushedSession[] => {
  if (typeof json !== 'object' || json === null) return [];
  const { sessionId, expiresAt, relyingPartyName, signatureType, change } = json as Json;
  if (typeof sessionId !== 'string' || typeof expiresAt !== 'number') return [];
  const named = typeof relyingPartyName === 'string' && relyingPartyName !== '';
  return [{ sessionId, expiresAt, ...(named && { relyingPartyName, signing: signatureType === 'SIGNING', change: change === true }) }];
};
