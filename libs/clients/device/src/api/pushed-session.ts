type Json = Readonly<Record<string, unknown>>;

/** A session that was pushed to the person. */
export interface PushedSession {
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Absent on a locked phone, and if the service does not answer it. */
  readonly relyingPartyName?: string;
  readonly signing?: boolean;
}

export const readPending = ({ sessions }: Json): readonly PushedSession[] | undefined =>
  Array.isArray(sessions) ? sessions.flatMap(readPushed) : undefined;

const readPushed = (json: unknown): readonly PushedSession[] => {
  if (typeof json !== 'object' || json === null) return [];
  const { sessionId, expiresAt, relyingPartyName, signatureType } = json as Json;
  if (typeof sessionId !== 'string' || typeof expiresAt !== 'number') return [];
  const named = typeof relyingPartyName === 'string' && relyingPartyName !== '';
  return [{ sessionId, expiresAt, ...(named && { relyingPartyName, signing: signatureType === 'SIGNING' }) }];
};
