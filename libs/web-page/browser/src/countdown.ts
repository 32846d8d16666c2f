/** Whole seconds until a moment, never below zero. */
export const secondsLeft = (expiresAtSeconds: number, nowMs: number): number => Math.max(0, Math.ceil(expiresAtSeconds - nowMs / 1000));

/** `1:05`, the same in every language. */
export const clockText = (seconds: number): string => `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
