/** The words as a command for the shell of this system: each reaches the program as it is. */
export const shellCommand = (words: readonly string[], platform = process.platform): string =>
  words.map((word) => (platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
