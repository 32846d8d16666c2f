import { type Answer, expectOk, pause, type SigningClient, type Phone, secret, type Signing, word } from '../../support/index.js';
import { untilAnswered } from './retry.js';

/** How far a signing got before the service was gone. */
export interface SigningAttempt {
  readonly signingClient: SigningClient;
  readonly phone: Phone;
  readonly name: string;
  signing?: Signing;
  /** The phone asked for the confirmation: answered yes, or nothing. */
  confirmation?: 'ok' | 'unknown';
  /** The status COMPLETED was seen: from then on it is a promise. */
  completed?: true;
  /** The container as a client got it: base64. */
  container?: string;
}

/** Signs one document after the other until the service no longer answers; records the answers. */
export const signUntilGone = async (signingClient: SigningClient, phone: Phone, attempts: SigningAttempt[]): Promise<void> => {
  for (;;) {
    const attempt: SigningAttempt = { signingClient, phone, name: `${secret('title', word())}.txt` };
    attempts.push(attempt);
    try {
      await sign(attempt);
    } catch {
      return;
    }
  }
};

/** Throws when an answer does not come. */
const sign = async (attempt: SigningAttempt): Promise<void> => {
  const { signingClient, phone, name } = attempt;
  attempt.signing = await signingClient.scanned(phone, { signed_data_name: name });
  attempt.confirmation = 'unknown';
  const answer = await phone.confirm(attempt.signing.sessionId);
  if (answer.status !== 200) throw new Error(`confirm: ${answer.status}`);
  attempt.confirmation = 'ok';
  if ((await signingClient.settled(attempt.signing)) !== 'COMPLETED') return;
  attempt.completed = true;
  const result = await signingClient.client.result(attempt.signing);
  if (result.status !== 200) throw new Error(`result: ${result.status}`);
  attempt.container = result.json!['container'] as string;
};

/** Signers who repeat each request that got no answer, and who wait for each container before they sign the next document. */
export class SteadySigning {
  readonly attempts: SigningAttempt[] = [];
  readonly refusals: string[] = [];
  #running = true;
  #signers: Promise<void>[] = [];

  /** `thought`: the longest time that a signer thinks between two documents, in milliseconds. Default: none, so that one is always under way. */
  constructor(private readonly thought = 0) {}

  /** Adds one signer, who starts at once. */
  add(signingClient: SigningClient, phone: Phone): void {
    this.#signers.push(this.#signer(signingClient, phone));
  }

  /** Documents whose container has been fetched so far. */
  get containers(): number {
    return this.attempts.filter(({ container }) => container !== undefined).length;
  }

  /** Waits until every user has finished the current document. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#signers);
  }

  async #signer(signingClient: SigningClient, phone: Phone): Promise<void> {
    while (this.#running) {
      const attempt: SigningAttempt = { signingClient, phone, name: `${secret('title', word())}.txt` };
      this.attempts.push(attempt);
      await this.#sign(attempt).catch((error: unknown) => this.refusals.push(String(error)));
      if (this.#running) await pause(Math.random() * this.thought);
    }
  }

  async #sign(attempt: SigningAttempt): Promise<void> {
    const { signingClient, phone, name } = attempt;
    attempt.signing = expectOk(await untilAnswered(() => signingClient.post({ signed_data_name: name }))) as unknown as Signing;
    const { signing } = attempt;
    expectOk(await untilAnswered(() => phone.scan(signing.sessionId)));
    attempt.confirmation = 'unknown';
    expectOk(await untilAnswered(() => phone.confirm(signing.sessionId)));
    attempt.confirmation = 'ok';
    const status = await this.#end(attempt);
    if (status !== 'COMPLETED') return;
    attempt.completed = true;
    attempt.container = expectOk(await untilAnswered(() => signingClient.client.result(signing)))['container'] as string;
  }

  /** How it ended; waits for the build and for the detection of its time-out. */
  async #end({ signingClient, signing }: SigningAttempt): Promise<string> {
    const poll = (): Promise<Answer> => signingClient.client.status(signing!, { prefer: 'wait=10' }, '?since=SCANNED');
    for (const giveUpAt = performance.now() + LONGEST_BUILD; ;) {
      const status = expectOk(await untilAnswered(poll))['status'] as string;
      if (status === 'COMPLETED' || status === 'CANCELLED') return status;
      if (performance.now() > giveUpAt) throw new Error(`${signing!.sessionId} is still ${status}`);
    }
  }
}

/** SIGNING_BUILD_TTL by default, and the cache; milliseconds. */
const LONGEST_BUILD = 70_000;
