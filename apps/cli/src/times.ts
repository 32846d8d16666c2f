import { InvalidArgumentError } from 'commander';

/** Epoch seconds as RFC 3339 in UTC. */
export const timeText = (epochSeconds: unknown): string | undefined =>
  typeof epochSeconds === 'number' ? new Date(epochSeconds * 1000).toISOString().replace('.000', '') : undefined;

/** Epoch seconds of a time as people write it. Throws commander's InvalidArgumentError. */
export const secondsIn = (text: string): number => {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError('Write a time such as 2026-01-31T12:00:00Z.');
  return Math.floor(milliseconds / 1000);
};
