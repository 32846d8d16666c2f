import type { IdentityId } from '#kernel';

/** A line of the list as it is kept. Its MAC tells whether the service has written it. */
export interface ErasureLine {
  readonly identityId: IdentityId;
  /** Epoch milliseconds. */
  readonly erasedAt: number;
  /** The MAC of the line before it. Absent of the first one, and where lines have no order. */
  readonly after?: string;
  /** Absent of a line that the service has not written. */
  readonly mac?: string;
}

export interface PlacedLine extends ErasureLine {
  /** Where it stands, for people. */
  readonly place: string;
}

/** The place where the list of erasures is kept. It takes any line for what it is. Every method throws ServiceUnavailable. */
export abstract class ErasureLines {
  /** Whether lines stay in the order of their appends, so that one names the one before it. */
  abstract readonly inOrder: boolean;

  /** Resolves when the line is safe: on disk, or on a majority of the brokers. */
  abstract append(line: ErasureLine): Promise<void>;

  /** Every line whose append has resolved, in any process; without an order only the newest one of each person. */
  abstract all(): Promise<readonly PlacedLine[]>;

  abstract close(): Promise<void>;
}

/** The line that a value of JSON holds; undefined for any other value. */
export const lineIn = (value: unknown): ErasureLine | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { identityId, erasedAt, after, mac } = value as { readonly [name in keyof ErasureLine]?: unknown };
  if (typeof identityId !== 'string' || typeof erasedAt !== 'number') return undefined;
  return {
    identityId: identityId as IdentityId,
    erasedAt,
    ...(typeof after === 'string' && { after }),
    ...(typeof mac === 'string' && { mac }),
  };
};
