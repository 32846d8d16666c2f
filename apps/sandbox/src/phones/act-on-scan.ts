import { setTimeout as pause } from 'node:timers/promises';

import { readQrPayload, type ScannedSession, UnreadableQr } from '#clients/software-phone';
import { InvalidRequest, ServiceUnavailable } from '#kernel';

import type { AllPhones } from './all-phones.js';
import { personas } from './personas.js';
import { bodyOf, withMappedErrors } from './refused-phone.js';

export interface Acted {
  /** The session's status in the last answer to the phone. */
  readonly status: string;
  /** The request as the phone showed it. */
  readonly scanned: ScannedSession;
}

/** A scripted phone scans a code and acts as its persona, over the real `/app/v1`. */
export class ActOnScan {
  constructor(
    private readonly phones: Pick<AllPhones, 'get'>,
    private readonly appScheme: string,
    private readonly stopping: AbortSignal,
  ) {}

  /** Throws {@link PhoneNotFound}, {@link InvalidRequest} for a text that is no QR code of ours, {@link RefusedPhone}. */
  async execute(phoneId: string, qr: string): Promise<Acted> {
    const { phone, persona, delaySeconds } = await this.phones.get(phoneId);
    checkQr(qr, this.appScheme);
    const scanned = bodyOf(await withMappedErrors(phone.scan(qr)));
    const acted = personas[persona].act(phone, () => this.#think(delaySeconds));
    const { status } = bodyOf(await withMappedErrors(acted));
    return { status, scanned };
  }

  async #think(seconds: number): Promise<void> {
    await pause(seconds * 1000, undefined, { signal: this.stopping }).catch(() => {
      throw new ServiceUnavailable('stopping');
    });
  }
}

const checkQr = (qr: string, appScheme: string): void => {
  try {
    readQrPayload(qr, appScheme);
  } catch (error) {
    throw error instanceof UnreadableQr ? new InvalidRequest(`\`qr\` ${error.message}`) : error;
  }
};
