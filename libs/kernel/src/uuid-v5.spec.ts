import { v5 } from 'uuid';

import { parseId } from './ids.js';
import { SystemRandomness } from './randomness.js';
import { URL_NAMESPACE, uuidV5 } from './uuid-v5.js';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('uuidV5', () => {
  // RFC 9562 appendix A.4.
  it('is what the standard says', () => {
    expect(uuidV5('www.example.com', DNS)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('is what another implementation makes of any name', () => {
    const randomness = new SystemRandomness();
    for (const name of ['', 'ä', '🗝', 'x'.repeat(10_000), ...Array.from({ length: 100 }, () => `session-${randomness.uuid()}/0`)]) {
      const namespace = randomness.uuid();
      const id = uuidV5(name, namespace);
      expect(id).toBe(v5(name, namespace));
      expect(parseId(id)).toBe(id);
    }
    expect(uuidV5('https://example.com', URL_NAMESPACE)).toBe(v5('https://example.com', v5.URL));
  });

  it.each(['', 'session', DNS.slice(1), DNS.replace('6', 'g')])('has no namespace that is no UUID: %j', (namespace) => {
    expect(() => uuidV5('name', namespace)).toThrow(TypeError);
  });
});
