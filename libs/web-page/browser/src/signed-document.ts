import { el, foreignText } from './elements.js';
import { fileSize } from './file-size.js';
import { fingerprintGroups } from './fingerprint-groups.js';

/** The document of a signature, as the hosted page and the phone show it. */
interface SignedDocument {
  readonly name: string;
  /** Hexadecimal SHA-512. */
  readonly hash: string;
  /** Bytes, where the relying party told the size. */
  readonly size?: number;
}

interface DocumentTexts {
  /** Heading above the name: "Document". */
  readonly document: string;
  /** Heading above the digest: "Fingerprint (SHA-512)". */
  readonly fingerprint: string;
  /** One sentence: compare the first and the last group on both screens. */
  readonly fingerprintHint?: string;
}

/** A digest in groups. Both screens show it in this one way, so that a person can compare them. */
const fingerprint = (hash: string): HTMLElement =>
  el(
    'code',
    { class: 'fingerprint', 'data-testid': 'document-hash' },
    ...fingerprintGroups(hash).flatMap(({ text, emphasised }) => [el(emphasised ? 'strong' : 'span', {}, text), ' ']),
  );

/** The document of a signature, or its documents in a list, each with its number: `2/3`. */
export const signedDocuments = (documents: readonly SignedDocument[], texts: DocumentTexts, locale: string): HTMLElement => {
  const [only] = documents;
  if (only && documents.length === 1) return signedDocument(only, texts, locale);
  const { fingerprintHint: hint, ...words } = texts;
  const numbered = (at: number): DocumentTexts => ({ ...words, document: `${texts.document} ${at + 1}/${documents.length}` });
  return el(
    'div',
    { class: 'documents', 'data-testid': 'documents' },
    hint !== undefined && el('p', { class: 'document-hint' }, hint),
    ...documents.map((document, at) => signedDocument(document, numbered(at), locale)),
  );
};

/** Name, size where it is known, and fingerprint of the document. */
const signedDocument = ({ name, hash, size }: SignedDocument, texts: DocumentTexts, locale: string): HTMLElement =>
  el(
    'section',
    { class: 'document', 'data-testid': 'document' },
    el('h2', {}, texts.document),
    el('p', { class: 'document-name', 'data-testid': 'document-name' }, foreignText(name)),
    size !== undefined && el('p', { class: 'document-size', 'data-testid': 'document-size' }, fileSize(size, locale)),
    el('h3', {}, texts.fingerprint),
    fingerprint(hash),
    texts.fingerprintHint !== undefined && el('p', { class: 'document-hint' }, texts.fingerprintHint),
  );
