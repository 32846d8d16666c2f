import { newEntry } from './key-file.js';
import { entriesOf, KeyChangeRefused, type ListedKey, listKeys, replaceKeyFile, ROTATION_LEAD, type Tools } from './key-files.js';

/** Epoch milliseconds. */
export interface SubjectRotation {
  /** From this time on logins answer subjectIds of the new key. The default is also the earliest: in ten minutes. */
  readonly from?: number | undefined;
  /** The services accept the former subjectIds until this time. */
  readonly until: number;
}

/**
 * Adds a subject key, which gives every person another subjectId at every client. Clients may ask for their pairs as soon as the services have read the file. The file is
 * replaced in one step, so an interruption leaves the old or the new one. Answers both keys, the new one first. Throws {@link KeyChangeRefused}.
 */
export const rotateSubjectKey = async (directory: string, rotation: SubjectRotation, tools: Tools): Promise<readonly ListedKey[]> => {
  const { clock, randomness, seal } = tools;
  const earliest = clock.now() + ROTATION_LEAD * 1000;
  const { from = earliest, until } = rotation;
  await assertRotatable(directory, tools);
  if (!(from >= earliest))
    throw new KeyChangeRefused(`a new subject key begins at ${new Date(earliest).toISOString()} or later, when every service has read it`);
  if (!(until > from))
    throw new KeyChangeRefused(`the former subjectIds must be accepted beyond the beginning of the new key, ${new Date(from).toISOString()}`);
  const [former] = await entriesOf(directory, 'subject', seal);
  const entry = newEntry('subject', from, randomness);
  await replaceKeyFile(directory, 'subject', [{ ...former, acceptedUntil: new Date(until).toISOString() } as typeof entry, entry], seal);
  const keys = await subjectKeysIn(directory, tools);
  if (!keys.some(({ id }) => id === entry.id))
    throw new KeyChangeRefused('subject.json was changed by another process meanwhile: list the keys, and rotate again if need be');
  return keys;
};

const assertRotatable = async (directory: string, tools: Pick<Tools, 'clock' | 'seal'>): Promise<void> => {
  const listed = await listKeys(directory, tools);
  const [newest, former] = listed.filter(({ file }) => file === 'subject');
  if (!newest) throw new KeyChangeRefused('there is no subject.json: run keys generate');
  if (former) throw new KeyChangeRefused(`subject.json still holds the former key ${former.id}: retire it before the next rotation`);
};

const subjectKeysIn = async (directory: string, tools: Pick<Tools, 'clock' | 'seal'>): Promise<readonly ListedKey[]> =>
  (await listKeys(directory, tools)).filter(({ file }) => file === 'subject');
