import { Secret, sha256Base64url } from '#kernel';

import { checkpointText, parseCheckpoint } from './checkpoint.js';
import { leafHash } from './merkle-hashes.js';
import { noteSigner, NoteRefused, openNote, parseVerifier, signNote, verifierText } from './signed-note.js';

/** The key and the note of the documentation of golang.org/x/mod/sumdb/note. */
const GO_VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const GO_NOTE = `${GO_TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

const signer = noteSigner('log.example', new Secret(Buffer.alloc(32, 7)));
const note = signNote('text\n', signer);

describe('a signed note', () => {
  it('is that of the programs of Go, byte for byte', () => {
    const known = noteSigner('PeterNeumann', new Secret(GO_SEED));
    expect(verifierText(known.verifier)).toBe(GO_VERIFIER);
    expect(signNote(GO_TEXT, known)).toBe(GO_NOTE);
    expect(openNote(GO_NOTE, [parseVerifier(GO_VERIFIER)])).toBe(GO_TEXT);
  });

  it('may carry signatures of others', () => {
    const other = noteSigner('witness.example', new Secret(Buffer.alloc(32, 8)));
    const [, line = ''] = signNote('text\n', other).split('\n\n');
    expect(openNote(`text\n\n${line}${note.split('\n\n')[1]}`, [signer.verifier])).toBe('text\n');
    expect(() => openNote(`text\n\n${line}`, [signer.verifier])).toThrow('no known key has signed the note');
  });

  it.each([
    ['a changed text', note.replace('text', 'test')],
    ['no signature', 'text\n\n'],
    ['no empty line', note.replace('\n\n', '\n')],
    ['no last line break', note.slice(0, -1)],
    ['a line that is no signature', `${note}more\n`],
    ['the name of another', note.replace('log.example', 'log.exampel')],
  ])('is refused with %s', (_, text) => {
    expect(() => openNote(text, [signer.verifier])).toThrow(NoteRefused);
  });

  it('knows its key by a text, and no other text', () => {
    const text = verifierText(signer.verifier);
    expect(parseVerifier(text).keyId).toEqual(signer.verifier.keyId);
    expect(() => parseVerifier(text.replace('log.', 'lag.'))).toThrow(NoteRefused);
    expect(() => parseVerifier(text.replace('+A', '+B'))).toThrow(NoteRefused);
    expect(() => parseVerifier('log.example')).toThrow(NoteRefused);
  });
});

describe('a checkpoint', () => {
  const head = { stream: sha256Base64url('audit-log'), index: 11, revision: 4, hash: leafHash('entry') };
  const checkpoint = { origin: 'log.example', size: 12, root: leafHash('root'), at: 1_700_000_000_000, heads: [head], extensions: ['security a b'] };
  const text = checkpointText(checkpoint);

  it('has origin, size and root in its first lines, and its time after them', () => {
    const named = `head ${head.stream} 11 4 ${head.hash.toString('base64')}`;
    expect(text.split('\n')).toEqual(['log.example', '12', checkpoint.root.toString('base64'), 'time 1700000000000', named, 'security a b', '']);
    expect(parseCheckpoint(text, 'log.example')).toEqual(checkpoint);
    expect(parseCheckpoint(`${text}another extension\n`, 'log.example').extensions).toEqual(['security a b', 'another extension']);
  });

  it.each([
    ['of another log', text.replace('log.', 'lag.')],
    ['whose size is no number', text.replace('12', '1x')],
    ['whose size has a zero before it', text.replace('12', '012')],
    ['without a root', text.replace(checkpoint.root.toString('base64'), '')],
    ['whose root is short', text.replace(checkpoint.root.toString('base64'), 'AAAA')],
    ['without its time', text.replace('time', 'tome')],
    ['with a head that lies behind its end', text.replace(' 11 4 ', ' 12 4 ')],
    ['with a head without a revision', text.replace(' 11 4 ', ' 11 ')],
    ['with a head whose hash is short', text.replace(head.hash.toString('base64'), 'AAAA')],
  ])('%s is refused', (_, changed) => {
    expect(() => parseCheckpoint(changed, 'log.example')).toThrow(NoteRefused);
  });
});
