import { moduleSize } from './qr-size.js';

const MODULES = 49;

describe('a module of the code', () => {
  it.each([
    ['a phone', { width: 272, windowHeight: 780, pixelRatio: 3 }, 16 / 3],
    ['a desk', { width: 480, windowHeight: 800, pixelRatio: 1 }, 9],
    ['a sharp screen', { width: 480, windowHeight: 800, pixelRatio: 2 }, 9.5],
    ['a low window', { width: 480, windowHeight: 360, pixelRatio: 1 }, 4],
  ])('is a whole number of device pixels on %s', (_, room, size) => {
    expect(moduleSize(MODULES, room)).toBeCloseTo(size, 5);
    expect((moduleSize(MODULES, room) * room.pixelRatio) % 1).toBeCloseTo(0, 5);
  });

  it('takes at most 60 % of the height', () => {
    expect(moduleSize(MODULES, { width: 2000, windowHeight: 700, pixelRatio: 1 }) * MODULES).toBeLessThanOrEqual(420);
  });

  it('is never too small for a camera', () => {
    expect(moduleSize(MODULES, { width: 40, windowHeight: 100, pixelRatio: 1 })).toBe(3);
  });
});
