import { describe, expect, it } from '@jest/globals';

import { Secret, SystemRandomness } from '#kernel';

import { newWebhookSecret, webhookSignature } from './webhook-secret.js';

describe('the signature', () => {
  it('is that of the published vector', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(webhookSignature(message, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is one for each secret while one rotates', () => {
    const secrets = [newWebhookSecret(new SystemRandomness()), newWebhookSecret(new SystemRandomness())];
    const both = webhookSignature({ id: 'a', timestamp: 1, body: '{}' }, secrets);
    expect(both).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(both.split(' ')).toEqual(secrets.map((secret) => webhookSignature({ id: 'a', timestamp: 1, body: '{}' }, [secret])));
  });

  it('needs a secret of its kind', () => {
    for (const wrong of ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_***']) {
      expect(() => webhookSignature({ id: 'a', timestamp: 1, body: '{}' }, [new Secret(wrong)])).toThrow('not a webhook secret');
    }
  });
});
