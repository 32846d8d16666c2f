import { describe, expect, it } from '@jest/globals';

import { BrowserKeys } from './push-service.js';

describe('the decryption by a browser, as tests need it', () => {
  it('reads the message of RFC 8291, appendix A', () => {
    const browser = new BrowserKeys(
      Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'),
      Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
    );
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
    expect(browser.decrypt(Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
  });
});
