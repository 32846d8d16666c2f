import { svgEl } from '#web-page/browser';
import encodeQR from 'qr';

/** The fragment of the address that the app opens. Short, since it is part of the QR code; the cookie identifies the login. */
export const RETURN_MARK = '#r';

/** Modules of light around the code (ISO/IEC 18004, 6.3.8). */
export const QUIET_ZONE = 4;

/** The code's modules, quiet zone included, true is dark. Level L: on a screen nothing is torn or dirty, and fewer modules are larger ones. */
export const qrModules = (payload: string): readonly (readonly boolean[])[] => encodeQR(payload, 'raw', { ecc: 'low', border: QUIET_ZONE });

/** One path of unit squares, runs of a row joined. */
export const qrPath = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) =>
      row.map((dark, x) => {
        if (!dark || row[x - 1] === true) return '';
        const end = row.indexOf(false, x);
        return `M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`;
      }),
    )
    .join('');

/** A scalable picture, dark on light in every colour scheme, because readers expect it. */
export const qrPicture = (payload: string, label: string): SVGElement => {
  const modules = qrModules(payload);
  const side = modules.length;
  return svgEl(
    'svg',
    {
      class: 'qr',
      viewBox: `0 0 ${side} ${side}`,
      role: 'img',
      'aria-label': label,
      'shape-rendering': 'crispEdges',
      'data-testid': 'qr-code',
    },
    svgEl('rect', { width: side, height: side, fill: '#fff' }),
    svgEl('path', { d: qrPath(modules), fill: '#0b0d12' }),
  );
};
