import type { ByteSource } from './attachment.js';

/** The bytes of a Blob, read piece by piece. */
export const sourceOf = (blob: Blob): ByteSource => ({
  size: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
});
