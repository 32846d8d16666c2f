import type { FileHandle } from 'node:fs/promises';

/**
 * Changes the owner of a file that root has made to the owner of the former file or of the folder, because the service's user has to read it.
 * Does nothing when the process does not run as root.
 */
export const giveToOwner = async (file: FileHandle, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> => {
  if (process.getuid?.() === 0) await file.chown(uid, gid);
};
