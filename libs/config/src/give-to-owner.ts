import type { FileHandle } from 'node:fs/promises';

/**
 * Root makes key files for the service's user, who has to read them: gives `file` to the owner of the former file or of the folder. Another
 * user's files stay that user's own.
 */
export const giveToOwner = async (file: FileHandle, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> => {
  if (process.getuid?.() === 0) await file.chown(uid, gid);
};
