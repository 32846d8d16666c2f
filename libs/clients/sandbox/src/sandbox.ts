import type { PlayedLogin, Persona, SandboxClient, SandboxPhone, Scanned } from './answers.js';
import { type AwaitedWebhook, type RecordedWebhook, RecordedWebhooks, type WebhookOptions } from './verified-webhooks.js';
import { SandboxCalls } from './sandbox-calls.js';

export interface NewPhone {
  readonly persona: Persona;
  /** For how long `slow` thinks: 1 to 600, default 3. */
  readonly delaySeconds?: number;
}

/** What can be made to fail (docs/specification/sandbox.md#faults). */
export interface Faults {
  /** The time-stamping authority does not answer. */
  readonly timeStampDown?: boolean;
}

export interface SandboxParts {
  readonly url: string;
  readonly client: SandboxClient;
  readonly stop: () => Promise<void>;
}

/** A sandbox that runs. Every call throws a `SandboxError`. */
export class Sandbox {
  /** The service's address, an origin: `baseUrl` of the SDK. */
  readonly url: string;
  /** Of OpenID Connect: what your library finds all else by. */
  readonly issuer: string;
  /** Of the hosted page, for `loginPageUrl` of the SDK. */
  readonly loginUrl: string;
  /** The client of every sandbox. It has the redirect URIs with which the sandbox was started. */
  readonly client: SandboxClient;
  readonly #calls: SandboxCalls;
  readonly #stop: () => Promise<void>;

  constructor({ url, client, stop }: SandboxParts) {
    this.url = url;
    this.issuer = `${url}/openid`;
    this.loginUrl = `${url}/login`;
    this.client = client;
    this.#calls = new SandboxCalls(url);
    this.#stop = stop;
  }

  /**
   * A client of its own, for one test or one file: tests that run at the same time do not see each other's sessions and webhooks.
   * It may ask for every property of a person.
   */
  async createClient(redirectUris: readonly string[]): Promise<SandboxClient> {
    const answer = await this.#calls.send<Omit<SandboxClient, 'redirectUris'>>('POST', '/clients', { redirect_uris: redirectUris });
    return { clientId: answer.clientId, clientSecret: answer.clientSecret, redirectUris };
  }

  /** A person of its own with a phone. For `wrong-pin`: it locks the phone, and a locked one refuses every further test. */
  createPhone({ persona, delaySeconds }: NewPhone): Promise<SandboxPhone> {
    return this.#calls.send('POST', '/phones', { persona, ...(delaySeconds !== undefined && { delay_seconds: delaySeconds }) });
  }

  /**
   * Plays the hosted page and the phone. `url`: where your application sends the browser, of the hosted page or of OpenID Connect's `/authorize`.
   * Open the `redirect` that it answers with the cookies of the browser that began. `phoneId`: by default the person who confirms.
   */
  logIn(url: string, phoneId = 'ok'): Promise<PlayedLogin> {
    return this.#calls.send('POST', `/phones/${encodeURIComponent(phoneId)}/login`, { url });
  }

  /** Plays the phone alone. `qr`: the text of a QR code, or the address of the link to the app. */
  scan(qr: string, phoneId = 'ok'): Promise<Scanned> {
    return this.#calls.send('POST', `/phones/${encodeURIComponent(phoneId)}/scan`, { qr });
  }

  /**
   * The webhooks of a client, oldest first, verified by the SDK: as they were sent to its endpoints, or would have been if it had one, so that a test needs none.
   * They come a moment after what they tell of: {@link waitForWebhook} waits for one.
   */
  webhooks(client: Pick<SandboxClient, 'clientId'>, options?: WebhookOptions): Promise<readonly RecordedWebhook[]> {
    return new RecordedWebhooks(this.#calls).of(client, options);
  }

  /** The newest webhook of a type, as soon as there is one. */
  waitForWebhook(awaited: AwaitedWebhook): Promise<RecordedWebhook> {
    return new RecordedWebhooks(this.#calls).next(awaited);
  }

  /** Moves the clock of the whole sandbox forward, until a {@link reset}. Answers its new time in epoch seconds. */
  async moveClock(seconds: number): Promise<number> {
    const { now } = await this.#calls.send<{ readonly now: number }>('POST', '/clock', { advance_seconds: seconds });
    return now;
  }

  /** Makes something fail for all tests, or work again. */
  async switchFaults({ timeStampDown }: Faults): Promise<void> {
    await this.#calls.send('POST', '/faults', { time_stamp_down: timeStampDown });
  }

  /**
   * Puts everything back to what a new sandbox has: it ends every session, and forgets clients, phones, faults, webhooks and the moved clock.
   * Not beside tests that run at the same time: it ends their logins.
   */
  reset(): Promise<void> {
    return this.#calls.send('POST', '/reset');
  }

  /** Ends the sandbox, if this process started it. */
  stop(): Promise<void> {
    return this.#stop();
  }
}
