import { svgEl } from '#web-page/browser';
import encodeQR from 'qr';

/** Modules of light around the code (ISO/IEC 18004, 6.3.8). */
export const QUIET_ZONE = 4;
const MODULE_PIXELS = 6;

/** The code's modules, quiet zone included: level M, true is dark. */
export const qrModules = (payload: string): readonly (readonly boolean[])[] => encodeQR(payload, 'raw', { ecc: 'medium', border: QUIET_ZONE });

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
      // Whole pixels per module where there is room, so that the squares are even on a screen of any density.
      width: side * MODULE_PIXELS,
      height: side * MODULE_PIXELS,
      role: 'img',
      'aria-label': label,
      'shape-rendering': 'crispEdges',
      'data-testid': 'qr-code',
    },
    svgEl('rect', { width: side, height: side, fill: '#fff' }),
    svgEl('path', { d: qrPath(modules), fill: '#0b0d12' }),
  );
};
