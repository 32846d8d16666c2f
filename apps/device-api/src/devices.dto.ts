import { Matches } from 'class-validator';

import { PIN_PROOF, PIN_PROOF_TEXT } from './enrol-device.dto.js';

export class RevokeDeviceDto {
  /** Of the device that asks. */
  @Matches(PIN_PROOF, { message: PIN_PROOF_TEXT })
  readonly pin_proof!: string;
}
