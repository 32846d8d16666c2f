import { randomUUID } from 'node:crypto';

import { CallbackRefused, type CallbackQuery, type LoginResult, qrPayload, type RelyingPartyClient } from '#relying-party-client';

import type { LoginChoices, ServiceAddresses } from './demo-options.js';
import type { ReturnValues } from './return-values.js';
import type { Device, LoginUnderWay } from './visitor.js';

export interface LoginsOptions {
  readonly client: RelyingPartyClient;
  readonly returnValues: ReturnValues;
  readonly origin: string;
  readonly service: ServiceAddresses;
}

/** Somebody else than the one who was asked approved. The service does not let it happen; we look all the same. */
export class AnotherSubject extends Error {}

/** What the demo does with the SDK, free of HTTP. */
export class Logins {
  constructor(private readonly options: LoginsOptions) {}

  async begin(choices: LoginChoices, device: Device): Promise<LoginUnderWay> {
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

  /** What the QR code says, or the link on the same device. */
  payload({ pending, device, returnValue }: LoginUnderWay): string {
    const { origin, service } = this.options;
    const returnUrl = device === 'THIS_DEVICE' ? `${origin}/return?r=${returnValue}` : `${origin}/waiting`;
    return qrPayload({ appScheme: service.appScheme, sessionId: pending.sessionId, returnUrl });
  }

  /**
   * Whether this browser may finish what was approved. A login by link has to come back to the browser that it began in, and
   * to no other: so whoever sends the link to somebody else and waits, waits in vain.
   */
  mayComplete({ device, returnValue, returned }: LoginUnderWay): boolean {
    return device === 'ANOTHER_DEVICE' || (returned && this.options.returnValues.isSound(returnValue));
  }

  /** Throws what the SDK throws, and {@link AnotherSubject}. */
  async finish({ pending, choices }: LoginUnderWay, query: CallbackQuery): Promise<LoginResult> {
    const result = await this.options.client.finishLogin(pending, query);
    if (choices.pushTo !== undefined && choices.pushTo !== result.subjectId) throw new AnotherSubject();
    return result;
  }
}

/** Whether the callback does not belong to the login at all. */
export const isForeignCallback = (error: unknown): boolean => error instanceof CallbackRefused || error instanceof AnotherSubject;
