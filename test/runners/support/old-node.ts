import { readFileSync, writeFileSync } from 'node:fs';

const OLD = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });\n";

/** Makes a copy of the program's first file take every Node for an old one. */
export const takeForOldNode = (file: string): void => {
  const [first = '', ...others] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [first, OLD, ...others].join('\n'));
};
