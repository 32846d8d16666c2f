import removeRunDirectory from '../../../conformance/support/global-teardown.mjs';

export default async () => {
  await globalThis.stopTopology?.();
  await removeRunDirectory();
};
