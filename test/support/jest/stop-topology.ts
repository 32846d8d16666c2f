import removeRunDirectory from './remove-run-directory.ts';

export default async (): Promise<void> => {
  await (globalThis as { stopTopology?: () => Promise<void> }).stopTopology?.();
  await removeRunDirectory();
};
