import { qrPayload, readQrPayload, UnreadableQr } from './qr-payload.js';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
const RETURN = 'https://rp.example/wait?a=1&b=ä#x';

describe('a QR payload', () => {
  it('is written as specification/login-ui.md#qr-payload says, both values percent-encoded', () => {
    expect(qrPayload('countersign', SESSION, 'https://rp.example/wait?a=1')).toBe(
      `countersign://app/scan?sessionId=${SESSION}&returnUrl=https%3A%2F%2Frp.example%2Fwait%3Fa%3D1`,
    );
  });

  it('gives back the written values', () => {
    expect(readQrPayload(qrPayload('countersign', SESSION, RETURN), 'countersign')).toEqual({ sessionId: SESSION, returnUrl: RETURN });
  });

  it('carries a frame of a dynamic code', () => {
    expect(readQrPayload(`${qrPayload('x', SESSION, RETURN)}&t=17&a=Zm9v`, 'x')).toMatchObject({ t: 17, a: 'Zm9v' });
  });

  it('takes the session id in either case and any order of the parameters', () => {
    const text = `x://app/scan?returnUrl=y&sessionId=${SESSION.toUpperCase()}`;
    expect(readQrPayload(text, 'x')).toEqual({ sessionId: SESSION, returnUrl: 'y' });
  });

  it.each([
    ['another scheme', `other://app/scan?sessionId=${SESSION}&returnUrl=y`, 'must begin with x://app/scan?'],
    ['another path', `x://app/sign?sessionId=${SESSION}&returnUrl=y`, 'must begin with x://app/scan?'],
    ['a web address', `https://rp.example/?x://app/scan?sessionId=${SESSION}`, 'must begin with x://app/scan?'],
    ['white space around it', ` x://app/scan?sessionId=${SESSION}&returnUrl=y`, 'must begin with x://app/scan?'],
    ['no session id', 'x://app/scan?returnUrl=y', 'must hold sessionId, a UUID'],
    ['a session id that is no UUID', 'x://app/scan?sessionId=1&returnUrl=y', 'must hold sessionId, a UUID'],
    ['no return address', `x://app/scan?sessionId=${SESSION}`, 'must hold returnUrl'],
    ['an empty return address', `x://app/scan?sessionId=${SESSION}&returnUrl=`, 'must hold returnUrl'],
    ['a return address as it is', `x://app/scan?sessionId=${SESSION}&returnUrl=https://rp.example/`, 'must hold returnUrl percent-encoded'],
    ['a plus for a space', `x://app/scan?sessionId=${SESSION}&returnUrl=a+b`, 'must hold returnUrl percent-encoded'],
    ['half an escape', `x://app/scan?sessionId=${SESSION}&returnUrl=%4`, 'must hold returnUrl percent-encoded'],
    ['bytes that are no UTF-8', `x://app/scan?sessionId=${SESSION}&returnUrl=%ff`, 'must hold returnUrl in UTF-8'],
    ['a parameter twice', `x://app/scan?sessionId=${SESSION}&sessionId=${SESSION}&returnUrl=y`, 'must hold sessionId once'],
    ['an unknown parameter', `x://app/scan?sessionId=${SESSION}&returnUrl=y&z=1`, 'must hold no other parameters'],
    ['a parameter without a value', `x://app/scan?sessionId&returnUrl=y`, 'must hold no other parameters'],
    ['a fragment', `x://app/scan?sessionId=${SESSION}&returnUrl=y#z`, 'must hold returnUrl percent-encoded'],
    ['half a frame', `x://app/scan?sessionId=${SESSION}&returnUrl=y&t=1`, 'must hold t, in seconds, and a together'],
    ['a frame before the session', `x://app/scan?sessionId=${SESSION}&returnUrl=y&t=-1&a=b`, 'must hold t, in seconds, and a together'],
  ])('is refused with %s', (_, text, rule) => {
    const reading = () => readQrPayload(text, 'x');
    expect(reading).toThrow(UnreadableQr);
    expect(reading).toThrow(rule);
  });
});
