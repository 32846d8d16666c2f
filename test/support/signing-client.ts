import { createHash, randomBytes } from 'node:crypto';

import type { Answer } from './http.js';
import type { Phone } from './phone.js';
import { type Login, RelyingParty } from './relying-party.js';
import { secret } from './secrets.js';
import type { Service } from './service.js';

/** The data that the tests sign: its content, its SHA-512 and its name. */
export const DATA = 'The contract, in full.\n';
export const HASH = createHash('sha512').update(DATA).digest('hex');
export const NAME = 'contract.txt';

export type Signing = Pick<Login, 'sessionId' | 'expiresAt' | 'pushStatus' | 'handoffToken'>;

/** A client that has data signed. */
export class SigningClient {
  private constructor(readonly client: RelyingParty) {}

  static async register(service: Service, terms: Record<string, unknown> = {}): Promise<SigningClient> {
    return SigningClient.of(await RelyingParty.register(service, terms));
  }

  /** A client that there is already. */
  static of(client: RelyingParty): SigningClient {
    return new SigningClient(client);
  }

  /** POST session with a valid body of a signing session, changed. */
  post(changes: Record<string, unknown> = {}): Promise<Answer> {
    const title = secret('title', `Contract ${randomBytes(8).toString('hex')}`);
    return this.client.call('POST', '/relying-party/v1/session', {
      signature_type: 'SIGNING',
      signed_data_hash: HASH,
      signed_data_name: NAME,
      title,
      ...changes,
    });
  }

  /** A signing session that must come to be. */
  async begin(changes: Record<string, unknown> = {}): Promise<Signing> {
    const answer = await this.post(changes);
    if (answer.status !== 200) throw new Error(`POST session: ${answer.status} ${answer.text}`);
    return answer.json as unknown as Signing;
  }

  async scanned(phone: Phone, changes: Record<string, unknown> = {}): Promise<Signing> {
    const signing = await this.begin(changes);
    const answer = await phone.scan(signing.sessionId);
    if (answer.status !== 200) throw new Error(`scan: ${answer.status} ${answer.text}`);
    return signing;
  }

  /** A session whose PIN was accepted; the container may still be under way. */
  async confirmed(phone: Phone, changes: Record<string, unknown> = {}): Promise<Signing> {
    const signing = await this.scanned(phone, changes);
    const answer = await phone.confirm(signing.sessionId);
    if (answer.status !== 200) throw new Error(`confirm: ${answer.status} ${answer.text}`);
    return signing;
  }

  /** A session whose result can be fetched. */
  async completed(phone: Phone, changes: Record<string, unknown> = {}): Promise<Signing> {
    const signing = await this.confirmed(phone, changes);
    const status = await this.settled(signing);
    if (status !== 'COMPLETED') throw new Error(`the signing session is ${status}`);
    return signing;
  }

  /** The status after SCANNED, waited for. */
  async settled(signing: Pick<Signing, 'sessionId'>): Promise<string> {
    for (let polls = 0; ; polls++) {
      const { json } = await this.client.status(signing, { prefer: 'wait=20' }, '?since=SCANNED');
      const status = json!['status'] as string;
      if ((status !== 'PENDING' && status !== 'SCANNED') || polls === 3) return status;
    }
  }
}
