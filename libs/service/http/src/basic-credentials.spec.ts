import { parseBasicCredentials } from './basic-credentials.js';

const CLIENT = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10';
const encoded = (secret: string): string => Buffer.from(`${CLIENT}:${secret}`).toString('base64');

describe('the credentials of HTTP Basic', () => {
  it.each([
    ['without padding', `Basic ${encoded('secre')}`, 'secre'],
    ['with one padding character', `Basic ${encoded('secr')}`, 'secr'],
    ['with two padding characters', `Basic ${encoded('secret')}`, 'secret'],
    ['with another case of the scheme', `bASIC ${encoded('secret')}`, 'secret'],
    ['with several blanks', `Basic   ${encoded('secret')}  `, 'secret'],
    ['with an empty secret', `Basic ${encoded('')}`, ''],
    ['with a colon in the secret', `Basic ${encoded('a:b')}`, 'a:b'],
  ])('are read %s', (_, header, clientSecret) => {
    expect(parseBasicCredentials(header)).toEqual({ clientId: CLIENT, clientSecret });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a client id without a colon after it', `Basic ${Buffer.from(`${CLIENT}x`).toString('base64')}`],
    ['a secret without a client id', `Basic ${Buffer.from(':secret').toString('base64')}`],
    ['text before the scheme', `x Basic ${encoded('secret')}`],
    ['letters before the scheme', `xBasic ${encoded('secret')}`],
    ['no blank after the scheme', `Basic${encoded('secret')}`],
    ['text after the credentials', `Basic ${encoded('secret')} x`],
    ['a byte order mark', `Basic ${Buffer.from(`\ufeff${CLIENT}:secret`).toString('base64')}`],
    ['a secret that is not UTF-8', `Basic ${Buffer.concat([Buffer.from(`${CLIENT}:secret`), Buffer.of(0xff)]).toString('base64')}`],
    ['too much padding', `Basic ${encoded('secret')}=`],
    ['too little padding', `Basic ${encoded('secret').slice(0, -1)}`],
    ['only padding', 'Basic =='],
    ['a blank within the credentials', `Basic ${encoded('secret').replace(/^..../, '$& ')}`],
  ])('are not read from %s', (_, header) => {
    expect(parseBasicCredentials(header)).toBeUndefined();
  });
});
