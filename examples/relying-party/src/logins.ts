import { randomUUID } from 'node:crypto';

import { CallbackRefused, type CallbackQuery, type LoginResult, qrPayload, type RelyingPartyClient, withReturnToken } from '#clients/relying-party';

import type { LoginChoices, ServiceAddresses } from './demo-options.js';
import type { ReturnValues } from './return-values.js';
import type { Device, LoginInProgress } from './visitor.js';

export interface LoginsOptions {
  readonly client: RelyingPartyClient;
  readonly returnValues: ReturnValues;
  readonly origin: string;
  readonly service: ServiceAddresses;
}

/** A person other than the requested one approved. The service prevents it; the demo checks it again. */
export class SubjectMismatch extends Error {}

/** The demo's logins with the SDK, without HTTP. */
export class Logins {
  constructor(private readonly options: LoginsOptions) {}

  async begin(choices: LoginChoices, device: Device): Promise<LoginInProgress> {
    const { title, properties, pushTo } = choices;
    const pending = await this.options.client.beginLogin({
      redirectUri: `${this.options.origin}/callback`,
      hostedPage: choices.integration === 'HOSTED_PAGE',
      ...(title !== undefined && { title }),
      ...(properties && { properties }),
      ...(pushTo !== undefined && { subjectId: pushTo, push: true }),
    });
    return { loginId: randomUUID(), choices, pending, device, returnValue: this.options.returnValues.issue(), returned: false };
  }

  /** The payload of the QR code, or of the link on the same device. */
  payload({ pending, device, returnValue }: LoginInProgress): string {
    const { origin, service } = this.options;
    const returnUrl = device === 'THIS_DEVICE' ? withReturnToken(`${origin}/return`, returnValue) : `${origin}/waiting`;
    return qrPayload({ appScheme: service.appScheme, sessionId: pending.sessionId, returnUrl });
  }

  /**
   * Whether this browser may finish the approved login. A login by link must come back to the browser that began it. So an attacker
   * who sends the link to a victim cannot finish the login by waiting.
   */
  mayComplete({ device, returnValue, returned }: LoginInProgress): boolean {
    return device === 'ANOTHER_DEVICE' || (returned && this.options.returnValues.isSound(returnValue));
  }

  /** Throws the errors of the SDK, and {@link SubjectMismatch}. */
  async finish({ pending, choices }: LoginInProgress, query: CallbackQuery): Promise<LoginResult> {
    const result = await this.options.client.finishLogin(pending, query);
    if (choices.pushTo !== undefined && choices.pushTo !== result.subjectId) throw new SubjectMismatch();
    return result;
  }
}

/** Whether the error means that the callback does not belong to the login. */
export const isForeignCallback = (error: unknown): boolean => error instanceof CallbackRefused || error instanceof SubjectMismatch;
