import { forgeContainer, type Forgery } from './forge-container.js';
import type { SigningKit } from './signing-kit.js';
import { archiveTimeStampRows } from './wrong-archives.js';
import type { Row, WrongContainer } from './wrong-container.js';
import { archiveRows, contentRows } from './wrong-contents.js';
import { revocationRows, timeStampRows } from './wrong-evidence.js';
import { attributeRows } from './wrong-signatures.js';

/** Every wrong container of the table, made under one trust service. */
export const wrongContainers = async (kit: SigningKit): Promise<readonly WrongContainer[]> => {
  const made: WrongContainer[] = [];
  for (const { forge, ...row } of rows(kit)) made.push({ ...row, container: await forge() });
  return made;
};

const rows = (kit: SigningKit): readonly Row[] => {
  const forging = (forgery: Forgery) => () => forgeContainer(kit, forgery);
  return [
    ...contentRows(forging),
    ...archiveRows(forging),
    ...attributeRows(kit, forging),
    ...timeStampRows(kit, forging),
    ...revocationRows(kit, forging),
    ...archiveTimeStampRows(kit),
  ];
};
