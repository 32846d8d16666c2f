import { sha256Base64url } from '#kernel';
import { categoryOf, type RecordedEvent, type StreamName } from '#engines/event-store';

/** One event that the store must have. The name of its stream is hashed: a checkpoint goes to other parties, and names hold the ids of persons. */
export interface Leaf {
  readonly category: string;
  /** SHA-256 of the name, base64url. */
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  /** Of the event: it covers everything else. */
  readonly mac: string;
  /** SHA-256 of the data's JSON, base64url, of an event whose metadata has it: who has the data and not the key of the MAC can compare it. */
  readonly dataHash?: string;
}

export const streamDigest = (stream: StreamName): string => sha256Base64url(stream);

export const leafOf = ({ stream, revision, type, id, metadata }: RecordedEvent): Leaf => {
  const dataHash = metadata?.['dataHash'];
  return {
    category: categoryOf(stream),
    stream: streamDigest(stream),
    revision,
    type,
    id,
    mac: metadata?.mac ?? '',
    ...(typeof dataHash === 'string' && { dataHash }),
  };
};

/** The text that is hashed: one line without its end. */
export const leafText = ({ category, stream, revision, type, id, mac, dataHash }: Leaf): string =>
  `${category} ${stream} ${revision} ${type} ${id} ${mac}${dataHash === undefined ? '' : ` ${dataHash}`}`;

/** Undefined for a text that is none. */
export const parseLeaf = (text: string): Leaf | undefined => {
  const [category, stream, revision, type, id, mac, dataHash, ...rest] = text.split(' ');
  if (category === undefined || stream === undefined || type === undefined || id === undefined || mac === undefined || rest.length > 0)
    return undefined;
  if (!/^\d{1,15}$/.test(`${revision}`)) return undefined;
  return { category, stream, revision: Number(revision), type, id, mac, ...(dataHash !== undefined && { dataHash }) };
};
