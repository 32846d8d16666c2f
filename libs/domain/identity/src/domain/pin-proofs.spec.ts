import { describe, expect, it } from '@jest/globals';

import { type DeviceId, Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { checkPinProof, PinProofs } from './pin-proofs.js';

const keyOf = (id: string) => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const [PHONE, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as DeviceId[] as [DeviceId, DeviceId];
const PROOF = Buffer.alloc(32, 'p').toString('base64url');

describe('the proof of a PIN', () => {
  const proofs = new PinProofs(new StaticKeyRing([keyOf('new'), keyOf('old')]));

  it('is stored as a MAC that only the same phone and PIN give', () => {
    const sealed = proofs.seal(PHONE, PROOF);
    expect(proofs.matches(PHONE, PROOF, sealed)).toBe(true);
    expect(proofs.matches(OTHER, PROOF, sealed)).toBe(false);
    expect(proofs.matches(PHONE, Buffer.alloc(32, 'q').toString('base64url'), sealed)).toBe(false);
    expect(proofs.matches(PHONE, PROOF, { ...sealed, mac: '' })).toBe(false);
    expect(JSON.stringify(sealed)).not.toContain(PROOF);
  });

  it('is recognised in every release: phones are enrolled for years', () => {
    expect(proofs.seal(PHONE, PROOF)).toEqual({ keyId: 'new', mac: 'IRW2JqaP8mPjVixJHPVzeU3BTu9KPUZt0SV2f1hEhT4' });
  });

  it('is recognised under a former key of the ring, and is no wrong PIN where the key is gone', () => {
    const former = new PinProofs(new StaticKeyRing([keyOf('old')])).seal(PHONE, PROOF);
    expect(proofs.matches(PHONE, PROOF, former)).toBe(true);
    expect(() => proofs.matches(PHONE, PROOF, { ...former, keyId: 'gone' })).toThrow('no key gone in the pin key ring');
  });

  it.each(['', 'AAAA', `${PROOF}A`, PROOF.slice(1), `${PROOF}=`, Buffer.alloc(31).toString('base64url'), Buffer.alloc(33).toString('base64url')])(
    'must have 32 bytes: not %j',
    (proof) => {
      expect(() => checkPinProof(proof)).toThrow(
        expect.objectContaining({ code: 'invalid_request', detail: '`pin_proof` must be 32 bytes in base64url.' }),
      );
    },
  );

  it('may have any 32 bytes', () => expect(() => checkPinProof(PROOF)).not.toThrow());
});
