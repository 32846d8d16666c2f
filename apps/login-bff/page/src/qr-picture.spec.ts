import { scanUri } from '#web-page/browser';
import decodeQR from 'qr/decode.js';
import { QUIET_ZONE, qrModules, qrPath, RETURN_MARK } from './qr-picture.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const PAYLOAD = scanUri('countersign', SESSION, `https://login.example.com/login/${RETURN_MARK}`);

/** The picture's pixels as the path draws them, each module `scale` pixels wide. */
const paint = (path: string, side: number, scale: number) => {
  const size = side * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1) {
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
      }
    }
  }
  return { width: size, height: size, data };
};

describe('the QR code', () => {
  it('is decoded to the payload of specification/login-ui.md#qr-payload', () => {
    const modules = qrModules(PAYLOAD);
    expect(decodeQR(paint(qrPath(modules), modules.length, 6))).toBe(PAYLOAD);
  });

  it.each(['http://localhost:3000/login', 'https://login.example.com/login', 'https://login.harbour-bank.ee'])(
    'has at most 41 modules for {login_url} %s',
    (loginUrl) => {
      const payload = scanUri('countersign', SESSION, `${loginUrl}/${RETURN_MARK}`);
      expect(qrModules(payload).length - 2 * QUIET_ZONE).toBeLessThanOrEqual(41);
    },
  );

  it('has a quiet zone of four modules on every side', () => {
    const modules = qrModules(PAYLOAD);
    const last = modules.length - QUIET_ZONE;
    const margin = modules.flatMap((row, y) => row.filter((_, x) => y < QUIET_ZONE || y >= last || x < QUIET_ZONE || x >= last));
    expect(margin).not.toContain(true);
    expect(modules[QUIET_ZONE]?.[QUIET_ZONE]).toBe(true);
  });
});
