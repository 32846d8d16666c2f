import type { DeviceKeys } from '../crypto/device-keys.js';

/** Everything this device is. The keys inside can be used here and read nowhere. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly name: string;
  readonly keys: DeviceKeys;
  /** base64 DER. */
  readonly signingCertificate: string;
  readonly certificateChain: readonly string[];
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
}

/** Keeps at most one device. */
export interface DeviceStore {
  load(): Promise<DeviceRecord | undefined>;
  save(record: DeviceRecord): Promise<void>;
  clear(): Promise<void>;
}
