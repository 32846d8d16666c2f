import { attachBlob } from '../browser/src/index.js';

export interface Attachment {
  /** As the service delivered it. */
  readonly container: Uint8Array<ArrayBuffer>;
  /** The data whose hash was signed. */
  readonly data: Uint8Array<ArrayBuffer> | Blob;
}

/**
 * The container with the data inside, under the signed name: one self-contained file to pass on. A repetition changes nothing.
 * Throws `AttachRefused` for any data but the signed one.
 */
export const attach = async ({ container, data }: Attachment): Promise<Uint8Array<ArrayBuffer>> => {
  const file = data instanceof Blob ? data : new Blob([data]);
  return new Uint8Array(await (await attachBlob(new Blob([container]), file)).arrayBuffer());
};
