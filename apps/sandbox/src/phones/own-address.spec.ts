import { ownAddress } from './own-address.js';

describe('the own address', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['::1', 'http://[::1]:3000'],
    ['192.168.1.7', 'http://192.168.1.7:3000'],
    ['localhost', 'http://localhost:3000'],
  ])('of a service on %s is %s', (host, address) => {
    expect(ownAddress({ host, port: 3000 })).toBe(address);
  });
});
