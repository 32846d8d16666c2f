import { access, constants, stat } from 'node:fs/promises';

import { InvalidSettings, isGuarded, type PlatformSettings } from '#service/config';

/**
 * Throws InvalidSettings in a guarded environment where the checkpoints would lie on the disk of the embedded store: whoever puts an older copy of that disk back puts them back too. A folder that is
 * not there is none of it: a service with a place that does not answer goes on with logins.
 */
export const assertAnchorsApart = async (settings: PlatformSettings): Promise<void> => {
  const { environment, esdbUrl, anchorDirectory, dataDirectory } = settings;
  if (!isGuarded(environment) || esdbUrl !== undefined || anchorDirectory === undefined) return;
  const [anchors, data] = await Promise.all([anchorDirectory, dataDirectory].map(diskOf));
  if (anchors !== undefined && anchors === data)
    throw new InvalidSettings([
      `ANCHOR_DIR lies on the disk of DATA_DIR, where an older copy of the store would bring its checkpoints along. Set ANCHOR_DIR to a folder on another disk or another machine, and see that it is mounted.`,
    ]);
};

/** Why this user cannot keep checkpoints in ANCHOR_DIR. */
export const anchorDirectoryProblems = async (settings: PlatformSettings): Promise<readonly string[]> => {
  const { anchorDirectory: path, kafkaBrokers } = settings;
  if (path === undefined) return [];
  try {
    // With Kafka only event-relay writes there.
    await access(path, constants.R_OK | (kafkaBrokers === undefined ? constants.W_OK : 0));
    await assertAnchorsApart(settings);
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    const code = String((error as NodeJS.ErrnoException).code);
    return [`ANCHOR_DIR: this user cannot use ${path} (${code}). Make the folder, or mount its disk, and give it to the user of the service.`];
  }
};

const diskOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ dev }) => dev,
    () => undefined,
  );
