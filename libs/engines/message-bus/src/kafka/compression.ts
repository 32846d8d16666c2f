import { CompressionTypes } from 'kafkajs';

/** Each partition's share of a request is compressed by itself. One or two messages lose less in size than compressing them, and inflating them in each group, costs. */
const COMPRESSED_FROM = 32;

/** How a request with so many messages is compressed. */
export const compressionOf = ({ length }: readonly unknown[]): CompressionTypes =>
  length < COMPRESSED_FROM ? CompressionTypes.None : CompressionTypes.GZIP;
