import type { DeviceRecord } from './device-record.js';
import type { Enrolment } from './enrolment.js';
import { readInput } from './entry.js';
import type { PhoneState } from './phone-state.js';
import { pinFault } from './pin.js';
import { enrolFault } from './refusals.js';

export interface EnrolmentDialogueParts {
  readonly enrolment: Pick<Enrolment, 'enrol'>;
  readonly appScheme: string;
  readonly show: (state: PhoneState) => void;
  /** Takes the device that the service has enrolled. */
  readonly enrolled: (device: DeviceRecord) => Promise<void>;
}

/** The dialogue that sets the phone up: the activation code, the PIN twice, then the enrolment. */
export class EnrolmentDialogue {
  private code = '';
  private chosenPin = '';

  constructor(private readonly parts: EnrolmentDialogueParts) {}

  enterCode(code: string): void {
    const entry = readInput(code, this.parts.appScheme);
    this.code = entry?.kind === 'ACTIVATE' ? entry.code : code.trim();
    this.parts.show(this.code === '' ? { kind: 'ENROL_CODE', code: '', fault: 'CODE_REFUSED' } : { kind: 'ENROL_PIN' });
  }

  choosePin(pin: string): void {
    const fault = pinFault(pin);
    this.chosenPin = fault === undefined ? pin : '';
    this.parts.show(fault === undefined ? { kind: 'ENROL_PIN_AGAIN' } : { kind: 'ENROL_PIN', fault });
  }

  /** Enrols this phone when the PIN is the chosen one. */
  async repeatPin(pin: string): Promise<void> {
    const { show, enrolment, enrolled } = this.parts;
    const chosen = this.chosenPin;
    this.chosenPin = '';
    if (pin !== chosen) return show({ kind: 'ENROL_PIN', fault: 'DIFFERENT' });
    show({ kind: 'ENROLLING' });
    const reply = await enrolment.enrol(this.code, pin);
    if (reply.kind !== 'OK') return show({ kind: 'ENROL_CODE', code: this.code, fault: enrolFault(reply) });
    this.code = '';
    await enrolled(reply.body);
  }
}
