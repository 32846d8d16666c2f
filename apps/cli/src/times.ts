/** Epoch seconds as a person in front of a log reads them: RFC 3339, UTC. */
export const timeText = (epochSeconds: unknown): string | undefined =>
  typeof epochSeconds === 'number' ? new Date(epochSeconds * 1000).toISOString().replace('.000', '') : undefined;
