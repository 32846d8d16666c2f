import { svgEl } from './elements.js';

/** Our mark: an open ring, the letter C, and the stroke of a second hand that closes it. The same drawing as mark.svg. */
export const mark = (): SVGElement =>
  svgEl(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false' },
    svgEl('path', { class: 'mark-ring', d: 'M22.6 6.4A12 12 0 1 0 28 16.8' }),
    svgEl('path', { class: 'mark-stroke', d: 'M10.5 15.8l5.4 5.6L28.6 6.2' }),
  );
