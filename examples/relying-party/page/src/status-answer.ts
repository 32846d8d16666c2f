/** The answer of `/waiting/status`. */
export interface StatusAnswer {
  readonly scene: string;
  readonly status?: string;
  /** Epoch seconds. */
  readonly expiresAt?: number;
  /** The server's time in epoch milliseconds. */
  readonly now?: number;
}

/** Undefined for anything else. */
export const readStatus = (json: unknown): StatusAnswer | undefined => {
  if (typeof json !== 'object' || json === null) return undefined;
  const { scene, status, expiresAt, now } = json as Readonly<Record<string, unknown>>;
  if (typeof scene !== 'string') return undefined;
  return {
    scene,
    ...(typeof status === 'string' && { status }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof now === 'number' && { now }),
  };
};
