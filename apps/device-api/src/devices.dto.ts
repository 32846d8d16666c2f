import { Matches } from 'class-validator';

import { PIN_PROOF, PIN_PROOF_TEXT } from './enrol-device.dto.js';

export class RevokeDeviceDto {
  /** Made with the PIN of the device that sends the request. */
  @Matches(PIN_PROOF, { message: PIN_PROOF_TEXT })
  readonly pin_proof!: string;
}
