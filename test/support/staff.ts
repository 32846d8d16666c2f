import { randomBytes } from 'node:crypto';

import type { Answer } from './http.js';
import { Phone } from './phone.js';
import { secret } from './secrets.js';
import type { Service } from './service.js';

export interface Person {
  readonly identityId: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly personal_code: string;
  readonly date_of_birth: string;
  readonly country: string;
  readonly email?: string;
  readonly phone_number?: string;
}

/** The holders of the admin token: they register clients and persons (specification/admin.md). */
export class Staff {
  constructor(private readonly service: Service) {}

  call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.service.send({
      method,
      path: `/admin/v1${path}`,
      headers: { authorization: `Bearer ${this.service.adminToken}`, ...headers },
      ...(json !== undefined && { json }),
    });
  }

  /** As `call`, for a request that must succeed. */
  async ask(method: string, path: string, json?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.call(method, path, json);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json ?? {};
  }

  /** Data of a new person, which no other test uses. */
  personalData(changes: Record<string, unknown> = {}): Record<string, unknown> {
    const data = {
      given_name: `Given${word()}`,
      family_name: `Family${word()}`,
      personal_code: `PC-${word()}`,
      date_of_birth: '1990-05-17',
      country: 'EE',
      email: `${word()}@mail.example`,
      phone_number: `+372${String(randomBytes(6).readUIntBE(0, 6)).slice(0, 10).padStart(10, '5')}`,
      ...changes,
    };
    for (const field of ['given_name', 'family_name', 'personal_code', 'email', 'phone_number'] as const) {
      const value: unknown = data[field];
      if (typeof value === 'string') secret('personal datum', value);
    }
    return data;
  }

  async registerPerson(changes: Record<string, unknown> = {}): Promise<Person> {
    const data = this.personalData(changes);
    const { identityId } = await this.ask('POST', '/identities', data);
    return { ...(data as unknown as Person), identityId: identityId as string };
  }

  async activationCode({ identityId }: Pick<Person, 'identityId'>): Promise<string> {
    const { activationCode } = await this.ask('POST', `/identities/${identityId}/activation-codes`);
    return secret('activation code', activationCode as string);
  }

  async phoneOf(person: Pick<Person, 'identityId'>): Promise<Phone> {
    return new Phone(this.service).enrol(await this.activationCode(person));
  }

  /** A new person's phone. */
  async newPhone(): Promise<Phone> {
    return this.phoneOf(await this.registerPerson());
  }

  timeline(sessionId: string): Promise<Answer> {
    return this.call('GET', `/sessions/${sessionId}/timeline`);
  }
}

export const word = (): string => randomBytes(8).toString('hex');
