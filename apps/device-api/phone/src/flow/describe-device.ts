import type { DeviceDescription } from '#clients/device';

const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /Android/],
  ['iPhone', /iPhone|iPod/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** A name from the user agent by which a person recognizes this browser in a list of devices. */
export const describeDevice = (userAgent: string): DeviceDescription => {
  const find = (names: typeof BROWSERS): string | undefined => names.find(([, sign]) => sign.test(userAgent))?.[0];
  const parts = [find(BROWSERS), find(SYSTEMS)].filter((part) => part !== undefined);
  return { name: parts.length > 0 ? parts.join(', ') : 'Web phone', platform: 'web' };
};
