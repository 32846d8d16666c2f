const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/**
 * The size of a file in words: `14.2 MB`, `14,2 Mt`.
 *
 * @param bytes whole number of bytes
 * @param locale BCP 47 tag of the reader
 */
export const fileSize = (bytes: number, locale: string): string => {
  const step = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[step] ?? 'byte';
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
};
