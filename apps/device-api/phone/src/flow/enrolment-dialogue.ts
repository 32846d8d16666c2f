import type { DeviceRecord, Enrolment } from '#clients/device';
import { readInput } from './entry.js';
import type { PhoneState } from './phone-state.js';
import { pinFault } from './pin.js';
import { enrolFault } from './refusals.js';

export interface EnrolmentDialogueParts {
  readonly enrolment: Pick<Enrolment, 'enrol' | 'holder'>;
  readonly appScheme: string;
  readonly show: (state: PhoneState) => void;
  /** Takes the device that the service has enrolled. */
  readonly enrolled: (device: DeviceRecord) => Promise<void>;
}

/** The dialogue that sets the phone up: the activation code, the name of its person, the PIN twice, then the enrolment. */
export class EnrolmentDialogue {
  private round = 0;
  private code = '';
  /** The name that the person has seen with this code. */
  private holder = '';
  private chosenPin = '';

  constructor(private readonly parts: EnrolmentDialogueParts) {}

  /** Shows the person whose phone this becomes with the code. A newer code replaces an older one. */
  async enterCode(text: string): Promise<void> {
    const { appScheme, enrolment, show } = this.parts;
    const entry = readInput(text, appScheme);
    const code = entry?.kind === 'ACTIVATE' ? entry.code : text.trim();
    const round = (this.round += 1);
    if (code === '') return show({ kind: 'ENROL_CODE', code, fault: 'CODE_REFUSED' });
    show({ kind: 'ENROL_LOOKING' });
    const reply = await enrolment.holder(code);
    if (round !== this.round) return;
    if (reply.kind !== 'OK') return show({ kind: 'ENROL_CODE', code, fault: enrolFault(reply) });
    [this.code, this.holder] = [code, reply.body];
    show({ kind: 'ENROL_HOLDER', holder: reply.body });
  }

  /** Another code takes the place of the one that is being read or shown. */
  restart(code: string): void {
    this.round += 1;
    this.parts.show({ kind: 'ENROL_CODE', code });
  }

  /** The person confirms that the name on the screen is theirs. */
  acceptHolder(): void {
    this.parts.show({ kind: 'ENROL_PIN' });
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
    const reply = await enrolment.enrol(this.code, pin, this.holder);
    if (reply.kind !== 'OK') return show({ kind: 'ENROL_CODE', code: this.code, fault: enrolFault(reply) });
    this.code = '';
    await enrolled(reply.body);
  }
}
