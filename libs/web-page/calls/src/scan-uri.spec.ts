import { readScanUri, scanUri, webPhoneLink } from './scan-uri.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const RETURN = `https://login.example/login/#${SESSION}`;
const URI = `countersign://app/scan?sessionId=${SESSION}&returnUrl=https%3A%2F%2Flogin.example%2Flogin%2F%23${SESSION}`;

describe('the QR payload', () => {
  it('is written as in specification/login-ui.md#qr-payload, both values percent-encoded', () => {
    expect(scanUri('countersign', SESSION, RETURN)).toBe(URI);
  });

  it('is read back as it was written', () => {
    expect(readScanUri(URI, 'countersign')).toEqual({ sessionId: SESSION, returnUrl: RETURN });
  });

  it('may carry the time and proof of a rotating code', () => {
    expect(readScanUri(`${URI}&t=17&a=abc-_`, 'countersign')).toEqual({ sessionId: SESSION, returnUrl: RETURN, t: 17, a: 'abc-_' });
    expect(readScanUri(`${URI}&t=-2&a=x`, 'countersign')?.t).toBe(-2);
  });

  it('keeps a plus sign, because this is percent-encoding and no form', () => {
    expect(readScanUri(`countersign://app/scan?sessionId=${SESSION}&returnUrl=a+b`, 'countersign')?.returnUrl).toBe('a+b');
  });

  it('is read with a scheme in any case and with blanks around it', () => {
    expect(readScanUri(` COUNTERSIGN://app/scan?sessionId=${SESSION.toUpperCase()}\n`, 'countersign')).toEqual({ sessionId: SESSION });
  });

  it.each([
    ['another scheme', `evil://app/scan?sessionId=${SESSION}`],
    ['a web address', `https://app/scan?sessionId=${SESSION}`],
    ['another path', `countersign://app/pay?sessionId=${SESSION}`],
    ['no session', 'countersign://app/scan?returnUrl=x'],
    ['a session that is no UUID', 'countersign://app/scan?sessionId=../confirm'],
    ['a parameter twice', `${URI}&sessionId=${SESSION}`],
    ['a broken escape', `countersign://app/scan?sessionId=${SESSION}&returnUrl=%E0%A4%A`],
    ['a time that is no number', `${URI}&t=1e9`],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => {
    expect(readScanUri(text, 'countersign')).toBeUndefined();
  });

  it('is passed to a web phone as the fragment of its address', () => {
    expect(webPhoneLink('https://phone.example/', URI)).toBe(`https://phone.example/#${encodeURIComponent(URI)}`);
    expect(webPhoneLink('https://phone.example/phone', 'a:b')).toBe('https://phone.example/phone/#a%3Ab');
  });
});
