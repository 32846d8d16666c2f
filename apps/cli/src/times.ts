/** Epoch seconds as RFC 3339 in UTC. */
export const timeText = (epochSeconds: unknown): string | undefined =>
  typeof epochSeconds === 'number' ? new Date(epochSeconds * 1000).toISOString().replace('.000', '') : undefined;
