import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

import { constantTimeEqual, fromBase64, type Secret, sha256 } from '#kernel';

/** Of Ed25519 (C2SP signed-note). */
const ED25519 = Buffer.of(1);
/** The DER of a PKCS#8 private key of Ed25519 before its 32 bytes (RFC 8410 §7), and of its public key (§4). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const PUBLIC_LENGTH = 32;
const KEY_ID_LENGTH = 4;

/** What a note was not: signed by a key that is known, or a note at all. */
export class NoteRefused extends Error {}

/** Recognises the notes of one key. */
export interface NoteVerifier {
  readonly name: string;
  /** The four bytes by which a signature names its key. */
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
}

export interface NoteSigner {
  readonly verifier: NoteVerifier;
  readonly privateKey: KeyObject;
}

/** Signs under this name with the Ed25519 key that these 32 bytes make (RFC 8032 §5.1.5). The name has no space and no `+`. */
export const noteSigner = (name: string, seed: Secret<Buffer>): NoteSigner => {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE, seed.reveal()]), format: 'der', type: 'pkcs8' });
  return { verifier: verifierOf(name, bytesOf(createPublicKey(privateKey))), privateKey };
};

/** The text by which others know the key: `name+id+key` (C2SP signed-note). Public. */
export const verifierText = ({ name, keyId, publicKey }: NoteVerifier): string =>
  `${name}+${keyId.toString('hex')}+${Buffer.concat([ED25519, bytesOf(publicKey)]).toString('base64')}`;

/** The key that such a text names. Throws {@link NoteRefused}. */
export const parseVerifier = (text: string): NoteVerifier => {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes?.length !== 1 + PUBLIC_LENGTH || bytes[0] !== ED25519[0]) throw new NoteRefused('the text is no key of Ed25519 for signed notes');
  const verifier = verifierOf(name, bytes.subarray(1));
  if (verifier.keyId.toString('hex') !== id) throw new NoteRefused('the id of the key is not that of its bytes');
  return verifier;
};

/** The note: the text, an empty line and the signature. The text ends with a line break and has no empty line. */
export const signNote = (text: string, { verifier, privateKey }: NoteSigner): string => {
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n— ${verifier.name} ${Buffer.concat([verifier.keyId, signature]).toString('base64')}\n`;
};

/** The text of a note that one of the keys has signed. Signatures of other keys do not matter. Throws {@link NoteRefused}. */
export const openNote = (note: string, verifiers: readonly NoteVerifier[]): string => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new NoteRefused('the text is no signed note');
  const text = note.slice(0, end + 1);
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map(parseSignature);
  for (const { name, keyId, bytes } of signatures) {
    const verifier = verifiers.find((one) => one.name === name && constantTimeEqual(one.keyId, keyId));
    if (!verifier) continue;
    if (!verify(null, Buffer.from(text), verifier.publicKey, bytes)) throw new NoteRefused('the signature of the note is wrong');
    return text;
  }
  throw new NoteRefused('no known key has signed the note');
};

const parseSignature = (line: string): { readonly name: string; readonly keyId: Buffer; readonly bytes: Buffer } => {
  const [, name, encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (name === undefined || !bytes || bytes.length <= KEY_ID_LENGTH) throw new NoteRefused('the note has a line that is no signature');
  return { name, keyId: bytes.subarray(0, KEY_ID_LENGTH), bytes: bytes.subarray(KEY_ID_LENGTH) };
};

const verifierOf = (name: string, publicBytes: Buffer): NoteVerifier => {
  const keyId = sha256(Buffer.concat([Buffer.from(`${name}\n`), ED25519, publicBytes])).subarray(0, KEY_ID_LENGTH);
  return { name, keyId, publicKey: createPublicKey({ key: Buffer.concat([PUBLIC, publicBytes]), format: 'der', type: 'spki' }) };
};

const bytesOf = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC.length);
