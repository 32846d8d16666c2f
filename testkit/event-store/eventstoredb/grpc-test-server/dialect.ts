import type { ProposedEvent } from './log-entries.js';

/** The servers that the test server speaks like: EventStoreDB 23.10 and 24.10, and KurrentDB 26.1. */
export const DIALECTS = ['23.10', '24.10', '26.1'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Where the servers were measured to differ. */
export interface Behaviour {
  /** The version that was measured. */
  readonly version: string;
  /** The largest append, and the largest event of one, in bytes as {@link sizeOf} counts them. */
  readonly maxAppendSize: number;
  readonly maxEventSize: number;
  /** Bytes. A larger message ends the whole call. */
  readonly maxMessageSize: number;
  /** What counts into the limit of an append. */
  readonly sizeOf: (event: ProposedEvent) => number;
  /** What a subscription from beyond the end hands over: the next new event, or nothing until the log has grown past that position. */
  readonly fromBeyondTheEnd: 'next event' | 'events after the position';
  /** Whether a position that is no event's is an invalid argument; otherwise it is a failure without a name. */
  readonly namesInvalidPositions: boolean;
  /** Whether the checkpoints of a subscription that catches up carry their position as `prepare` too; otherwise 0. */
  readonly checkpointsHavePrepare: boolean;
  /** Whether the process ends, with exit code 0, once it has truncated its log to an older copy. */
  readonly endsAfterTruncation: boolean;
  /** Whether each answer of a gRPC call is compressed by gzip. */
  readonly compresses: boolean;
  /** Whether it appends to several streams at once, with checks of any streams. */
  readonly appendsRecords: boolean;
}

const MEBIBYTE = 1024 * 1024;

const sizeOfData = ({ data }: ProposedEvent): number => data.length;
/** `Event.SizeOnDisk`: a type counts two bytes a character. */
const sizeOnDisk = ({ type, data, customMetadata }: ProposedEvent): number => 2 * type.length + data.length + customMetadata.length;

const EVENTSTOREDB_23: Behaviour = {
  version: '23.10.7',
  maxAppendSize: MEBIBYTE,
  maxEventSize: Infinity,
  maxMessageSize: 16 * MEBIBYTE,
  sizeOf: sizeOfData,
  fromBeyondTheEnd: 'next event',
  namesInvalidPositions: false,
  checkpointsHavePrepare: false,
  endsAfterTruncation: false,
  compresses: false,
  appendsRecords: false,
};

const EVENTSTOREDB_24: Behaviour = {
  ...EVENTSTOREDB_23,
  version: '24.10.9',
  sizeOf: sizeOnDisk,
  fromBeyondTheEnd: 'events after the position',
  namesInvalidPositions: true,
  checkpointsHavePrepare: true,
  endsAfterTruncation: true,
};

const KURRENTDB_26: Behaviour = {
  ...EVENTSTOREDB_24,
  version: '26.1.0',
  maxAppendSize: 256 * MEBIBYTE,
  maxEventSize: 16 * MEBIBYTE,
  maxMessageSize: 17 * MEBIBYTE,
  compresses: true,
  appendsRecords: true,
};

export const BEHAVIOURS: Readonly<Record<Dialect, Behaviour>> = { '23.10': EVENTSTOREDB_23, '24.10': EVENTSTOREDB_24, '26.1': KURRENTDB_26 };
