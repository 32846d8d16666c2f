/** A stream that was deleted softly has this `$tb`, and a tombstoned one this revision: the greatest 64-bit integer. */
export const DELETED = 0x7fff_ffff_ffff_ffffn;

/** The parts of `$metadata` events that the server acts on. */
export interface StreamMetadata {
  /** Milliseconds. */
  readonly maxAge: number | null;
  readonly maxCount: bigint | null;
  /** Events before this revision are gone. */
  readonly truncateBefore: bigint | null;
}

type RawMetadata = Record<string, unknown>;

/** Whole numbers as bigint: `$tb` is greater than any safe integer. */
const parse = (data: Uint8Array): RawMetadata | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString('utf8'), (_key, part: unknown, context?: { source?: string }) =>
      typeof part === 'number' && context?.source && /^-?\d+$/.test(context.source) ? BigInt(context.source) : part,
    );
    return typeof value === 'object' && value !== null ? (value as RawMetadata) : undefined;
  } catch {
    return undefined;
  }
};

const whole = (value: unknown): bigint | null => (typeof value === 'bigint' ? value : null);

/** A value that does not fit in 64 bits makes the whole of it void, as in the real server. */
export const readStreamMetadata = (data: Uint8Array | undefined): StreamMetadata => {
  const raw = data && parse(data);
  const [maxAge, maxCount, truncateBefore] = [whole(raw?.['$maxAge']), whole(raw?.['$maxCount']), whole(raw?.['$tb'])];
  if ([maxAge, maxCount, truncateBefore].some((value) => value !== null && value > DELETED)) return NOTHING_SET;
  return { maxAge: maxAge === null ? null : Number(maxAge) * 1000, maxCount, truncateBefore };
};

const NOTHING_SET: StreamMetadata = { maxAge: null, maxCount: null, truncateBefore: null };

/** The metadata that the server writes when a deleted stream begins again: other members stay as they were. */
export const withTruncateBefore = (data: Uint8Array, truncateBefore: bigint): Buffer => {
  const raw = { ...parse(data), $tb: truncateBefore };
  return Buffer.from(
    JSON.stringify(raw, (_key, value: unknown) => (typeof value === 'bigint' ? (JSON as unknown as RawJson).rawJSON(`${value}`) : value)),
  );
};

interface RawJson {
  rawJSON(text: string): object;
}
