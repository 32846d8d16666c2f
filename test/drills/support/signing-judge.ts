import { expect } from '@jest/globals';

import { verifyContainer } from '#signatures/asic';
import { Certificate, TrustStore } from '#signatures/pki';

import { type Answer, expectError, expectOk, HASH, type Service, Staff } from '../../support/index.js';
import { untilAnswered } from './retry.js';
import type { SigningAttempt } from './signing-load.js';

/** Checks that each approved signature ended with exactly one valid container, or was cancelled without one. */
export class SigningJudge {
  readonly #staff: Staff;

  private constructor(
    service: Service,
    private readonly trust: TrustStore,
  ) {
    this.#staff = new Staff(service);
  }

  /** Trusts the development root of that service. */
  static async of(service: Service): Promise<SigningJudge> {
    const root = await fetch(`${service.baseUrls[0]}/pki/root.cer`);
    return new SigningJudge(service, new TrustStore([Certificate.parse(Buffer.from(await root.arrayBuffer()))]));
  }

  /** The types of a session's events. */
  async types(sessionId: string): Promise<string[]> {
    const { events } = expectOk(await untilAnswered(() => this.#staff.timeline(sessionId))) as { events: { type: string }[] };
    return events.map(({ type }) => type);
  }

  /** Checks a session with a stored confirmation; answers how it ended. */
  async judge({ signingClient, signing, name, completed, container }: SigningAttempt): Promise<string> {
    const { sessionId } = signing!;
    const status = await signingClient.settled({ sessionId });
    const events = await this.types(sessionId);
    expect([sessionId, count(events, 'SessionConfirmed'), count(events, 'SessionCompleted') + count(events, 'SessionCancelled')]).toEqual([
      sessionId,
      1,
      1,
    ]);
    if (status === 'CANCELLED') {
      expect([sessionId, completed]).toEqual([sessionId, undefined]);
      expectError(await untilAnswered(() => signingClient.client.result({ sessionId })), 409, 'not_signed');
      return status;
    }
    expect([sessionId, status]).toEqual([sessionId, 'COMPLETED']);
    const fetched = (): Promise<Answer> => untilAnswered(() => signingClient.client.result({ sessionId }));
    const results = [await fetched(), await fetched()].map(expectOk);
    expect(results[0]).toEqual(results[1]);
    const delivered = results[0]!['container'] as string;
    // A container that was fetched before the kill equals this one: there is exactly one.
    expect(container ?? delivered).toBe(delivered);
    const report = await verifyContainer(Buffer.from(delivered, 'base64'), { trust: this.trust, now: Date.now() });
    expect(report).toMatchObject({
      verdict: 'INDETERMINATE',
      subIndication: 'SIGNED_DATA_NOT_FOUND',
      findings: [],
      signedDataName: name,
      signedDataHash: HASH,
      level: 'LT',
    });
    return status;
  }
}

export const count = (all: readonly string[], type: string): number => all.filter((one) => one === type).length;
