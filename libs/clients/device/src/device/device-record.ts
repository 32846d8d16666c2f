import type { DeviceKeys } from './keys.js';

/** The stored device. This phone can use its keys but not read them. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly name: string;
  readonly keys: DeviceKeys;
  /** base64 DER. Absent, with the chain, if the service signs nothing. */
  readonly signingCertificate?: string;
  readonly certificateChain?: readonly string[];
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
}

/** Keeps at most one device. */
export interface DeviceStore {
  load(): Promise<DeviceRecord | undefined>;
  save(record: DeviceRecord): Promise<void>;
  clear(): Promise<void>;
}
