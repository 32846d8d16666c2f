import { decodeQR } from 'qr/decode.js';

import type { PageAnswer } from './browser.js';

/** Reads the QR code of a page: draws the picture's path pixel by pixel and decodes it. */
export const qrTextOn = ({ text }: PageAnswer): string => {
  const [, side = '0', path = ''] = /viewBox="0 0 (\d+) \d+".*?<path d="([^"]+)"/s.exec(text) ?? [];
  const scale = 4;
  const size = Number(side) * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x = '', y = ''] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      for (let column = 0; column < scale; column++) {
        const pixel = ((Number(y) * scale + row) * size + Number(x) * scale + column) * 4;
        data.fill(0, pixel, pixel + 3);
      }
    }
  }
  return decodeQR({ width: size, height: size, data });
};
