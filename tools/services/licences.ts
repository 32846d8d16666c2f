import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a file belongs to. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** A text with the name, version and licence of each package that these files belong to: what their licences ask of a copy. Throws an error for a package without one. */
export const licencesOf = async (root: string, files: readonly string[]): Promise<string> => {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].sort().map((folder) => licenceOf(join(root, folder))));
  return texts.join('\n');
};

const licenceOf = async (folder: string): Promise<string> => {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const [file] = globSync('{LICEN[CS]E,licen[cs]e,LICEN[CS]E.*,licen[cs]e.*,LICENSE-MIT*}', { cwd: folder });
  if (file === undefined && typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const text = file === undefined ? `Licence: ${String(license)}. ${JSON.stringify(author ?? '')}` : await readFile(join(folder, file), 'utf8');
  return `${'='.repeat(80)}\n${String(name)} ${String(version)}\n\n${text.trim()}\n`;
};
