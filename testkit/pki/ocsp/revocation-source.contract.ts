import { expect, it } from '@jest/globals';

import type { Certificate } from '#signatures/pki';
import { statusIn, verifyCrl } from '#signatures/pki';
import type { CertificateState } from '#signatures/pki';
import type { DevelopmentKit } from '../development-kit.js';
import { verifyOcspResponse } from '#signatures/pki';
import type { RevocationSource } from '#signatures/pki';

export interface OpenedSource {
  readonly source: RevocationSource;
  readonly kit: DevelopmentKit;
  /** Two certificates of the trust service, issued by the root, that name the root's list. */
  readonly vouching: readonly [Certificate, Certificate];
  /** Sets the state of every certificate in the register. */
  say(state: CertificateState): void;
}

/** The promises of every source of revocation data. */
export const revocationSourceContract = (open: () => OpenedSource): void => {
  it.each([
    [{ status: 'good' }, 'good'],
    [{ status: 'unknown' }, 'unknown'],
    [{ status: 'revoked', at: Date.UTC(2026, 0, 1) }, 'revoked'],
  ] as const)('answers the state in the register: %j', async (state, status) => {
    const { source, kit, say } = open();
    say(state);
    const evidence = await source.ask(kit.signer, kit.issuing);
    expect(evidence).toMatchObject({ type: 'ocsp', status });
    expect(verifyOcspResponse(evidence.der, { certificate: kit.signer, issuer: kit.issuing }).status).toBe(status);
  });

  it('asks anew each time', async () => {
    const { source, kit, say } = open();
    say({ status: 'good' });
    const first = await source.ask(kit.signer, kit.issuing);
    kit.clock.advance(5000);
    expect((await source.ask(kit.signer, kit.issuing)).producedAt).toBe(first.producedAt + 5000);
  });

  it('uses a list of its CA for the trust service itself, and gets a new one when that ends', async () => {
    const { source, kit, vouching } = open();
    const [unit, ca] = vouching;
    const evidence = await source.current(unit, kit.root);
    expect(evidence).toMatchObject({ type: 'crl', status: 'good' });
    expect(statusIn(verifyCrl(evidence.der, kit.root), unit)).toBe('good');
    kit.clock.advance(3_600_000);
    expect((await source.current(ca, kit.root)).der).toEqual(evidence.der);
    kit.clock.advance(24 * 3_600_000);
    expect((await source.current(unit, kit.root)).der).not.toEqual(evidence.der);
  });
};
