import type { DeviceId, IdentityId } from '#kernel';
import type { EventStore } from '#event-store';

import type { FindDevice } from './find-device.js';
import { certificateStream, deviceStream, identityStream } from './streams.js';

/** What an OCSP responder says of a certificate (RFC 6960 section 2.2). `at`: since when, epoch milliseconds. */
export type CertificateStatus = { readonly status: 'good' | 'unknown' } | { readonly status: 'revoked'; readonly at: number };

/** The certificate of a device is as good as the device: revoked with it, and with its person. */
export class FindCertificateStatus {
  constructor(
    private readonly store: EventStore,
    private readonly findDevice: FindDevice,
  ) {}

  /** `serial`: lower-case hex. */
  async execute(serial: string): Promise<CertificateStatus> {
    const [issued] = await this.store.read(certificateStream(serial), { limit: 1 });
    const { deviceId, at } = (issued?.data ?? {}) as { deviceId?: DeviceId; at?: number };
    const device = deviceId && (await this.findDevice.execute(deviceId));
    if (!device || at === undefined) return { status: 'unknown' };
    if (device.status !== 'REVOKED') return { status: 'good' };
    return { status: 'revoked', at: await this.#revokedAt(device.deviceId, device.identityId, at) };
  }

  /** A device that was never listed was never good. */
  async #revokedAt(deviceId: DeviceId, identityId: IdentityId, issuedAt: number): Promise<number> {
    const [last] = await this.store.read(deviceStream(deviceId), { direction: 'backwards', limit: 1 });
    const ends = [last, ...(await this.store.read(identityStream(identityId)))].filter(
      (event) => event?.type === 'DeviceRevoked' || event?.type === 'IdentityErased',
    );
    return ends.length === 0 ? issuedAt : Math.min(...ends.map((event) => Number(event?.data['at'])));
  }
}
