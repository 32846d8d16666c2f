import encodeQR from 'qr';

import { html, type Markup } from './html.js';

/** Modules of light around the code (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4;

/** A scalable picture, dark on light in every colour scheme, because readers expect it. */
export const qrPicture = (payload: string, label: string): Markup => {
  const rows = encodeQR(payload, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const squares = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg
    class="qr"
    viewBox="0 0 ${rows.length} ${rows.length}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
    data-testid="qr-code"
  >
    <rect width="${rows.length}" height="${rows.length}" fill="#fff" />
    <path d="${squares.join('')}" fill="#000" />
  </svg>`;
};
