import { describe, expect, it } from '@jest/globals';

import { ReachableNetworks } from './reachable-networks.js';
import { checkWebhookUrl, webhookUrlFault } from './webhook-url.js';

const publicOnly = new ReachableNetworks([]);
const withLoopback = new ReachableNetworks(['127.0.0.0/8', '::1/128']);

describe('the address of an endpoint', () => {
  it.each(['https://hooks.example.com/a?b=c', 'https://hooks.example.com:8443/', 'https://xn--bcher-kva.example/', 'https://hooks.example.com.'])(
    'may be %s',
    (url) => expect(webhookUrlFault(url, publicOnly)).toBeUndefined(),
  );

  it.each([
    '',
    'hooks.example.com',
    '//hooks.example.com/',
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user@hooks.example.com/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com/#x',
    'https://hooks.example.com/#',
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://a.localhost/',
    'https://db/',
    'https://db./',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://internal/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com\\@127.0.0.1/',
    ' https://hooks.example.com/',
    'https://hooks.example.com/\n',
    'https://hooks.exa mple.com/',
    `https://hooks.example.com/${'x'.repeat(1975)}`,
  ])('may not be %j', (url) => expect(webhookUrlFault(url, publicOnly)).toMatch(/^must /));

  it('may have 2000 characters', () => {
    expect(webhookUrlFault(`https://hooks.example.com/${'x'.repeat(1974)}`, publicOnly)).toBeUndefined();
  });

  it('is refused with its fault', () => {
    expect(() => checkWebhookUrl('http://hooks.example.com/', publicOnly)).toThrow('`url` must begin with https://.');
    expect(() => checkWebhookUrl('https://hooks.example.com/', publicOnly)).not.toThrow();
  });

  it('may be a literal, in any scheme and port, where the operator allows its network', () => {
    for (const url of ['http://127.0.0.1:3001/hooks', 'https://[::1]:9000/', 'http://127.1:1/'])
      expect(webhookUrlFault(url, withLoopback)).toBeUndefined();
    for (const url of ['http://localhost:3001/hooks', 'ftp://127.0.0.1/', 'http://10.0.0.1/'])
      expect(webhookUrlFault(url, withLoopback)).toMatch(/^must /);
  });
});
