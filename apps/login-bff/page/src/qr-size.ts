/** The part of a small screen's height that the code may take. */
const MOST_OF_HEIGHT = 0.6;
/** Below this a phone camera cannot tell the modules apart; in CSS pixels. */
const SMALLEST_MODULE = 3;

export interface Room {
  /** CSS pixels. */
  readonly width: number;
  readonly windowHeight: number;
  /** Device pixels for each CSS pixel. */
  readonly pixelRatio: number;
}

/**
 * The width of one module in CSS pixels, such that it is a whole number of device pixels: uneven modules make a code hard to read from afar.
 *
 * @param modules modules of a side, quiet zone included
 */
export const moduleSize = (modules: number, { width, windowHeight, pixelRatio }: Room): number => {
  const side = Math.min(width, windowHeight * MOST_OF_HEIGHT);
  return Math.max(SMALLEST_MODULE, Math.floor((side / modules) * pixelRatio) / pixelRatio);
};
