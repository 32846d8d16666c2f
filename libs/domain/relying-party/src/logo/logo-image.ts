import { createHash } from 'node:crypto';

import type { Logo } from '../domain/client-logo.js';
import { MOST_BYTES, type PictureDecoder } from './picture-decoder.js';
import { judgePng, refused, undecodable } from './png-chunks.js';

/**
 * Has the picture decoded and its pixels encoded anew: the service hands out bytes of its own, without metadata and without anything behind the
 * picture. The size is judged before the pixels are decoded, so that a small file cannot become a large picture.
 *
 * Throws InvalidRequest, which says what is wrong with the field `image`, and what {@link PictureDecoder.reencode} throws.
 */
export const logoOf = async (base64: string, decoder: Pick<PictureDecoder, 'reencode'>): Promise<Logo> => {
  const upload = Buffer.from(base64, 'base64');
  if (upload.toString('base64') !== base64) throw refused('must be base64');
  if (upload.length > MOST_BYTES) throw refused('must have at most 32 KiB');
  const judged = judgePng(upload);
  const { width, height } = judged;
  const image = await decoder.reencode(judged);
  // The decoder has read bytes of strangers, so what it wrote is judged as well.
  const written = judgePng(image);
  if (written.width !== width || written.height !== height) throw undecodable();
  return { hash: createHash('sha256').update(image).digest('hex'), image: image.toString('base64'), width, height };
};
