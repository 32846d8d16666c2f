import { textsIn } from '../../../../web-page/calls/src/index.js';
import type { Answers } from './answers.js';

type Scanned = Answers['POST /app/v1/session/{sessionId}/scan'];

/** The request of a relying party to this person: the answer to a scan (specification/app.md#post-scan). */
export interface SessionRequest extends Omit<Scanned, 'signatureAlgorithm'> {
  /** {@link checkRequest} refuses one that this phone does not know. */
  readonly signatureAlgorithm: string;
  /** Only of a change of the service itself: the change in words, in full, to be shown before the PIN. It is part of `toBeSigned`. */
  readonly details?: string;
}

/** The page where the person waits, as the service sees it (specification/app.md#the-waiting-page). */
export type WaitingPage = NonNullable<Scanned['waitingPage']>;

/** A document to sign, as the phone shows it. */
export type ShownDocument = NonNullable<Scanned['documents']>[number];

/** The documents of a request to sign, however they were given; empty when none was. */
export const documentsOf = ({
  documents,
  signedDataName: name,
  signedDataHash: hash,
  signedDataSize: size,
}: SessionRequest): readonly ShownDocument[] => {
  if (documents) return documents;
  return name === undefined || hash === undefined ? [] : [{ name, hash, ...(size !== undefined && { size }) }];
};

/** The data of the person that the relying party asks for, by the names of the protocol. */
export type Requested = NonNullable<Scanned['requested']>;

type Json = Readonly<Record<string, unknown>>;

/** Reads the answer to a scan; undefined for anything else. */
export const readSessionRequest = (body: Json): SessionRequest | undefined => {
  const { sessionId, signatureType, relyingPartyName, expiresAt, signedDataSize, toBeSigned, signatureAlgorithm, verificationCodes } = body;
  if (typeof sessionId !== 'string' || typeof relyingPartyName !== 'string' || typeof expiresAt !== 'number') return undefined;
  if (typeof toBeSigned !== 'string' || typeof signatureAlgorithm !== 'string') return undefined;
  if (signatureType !== 'AUTHENTICATION' && signatureType !== 'SIGNING') return undefined;
  const requested = body['requested'] === undefined ? undefined : readRequested(body['requested']);
  if (body['requested'] !== undefined && requested === undefined) return undefined;
  const documents = body['documents'] === undefined ? undefined : readDocuments(body['documents']);
  if (body['documents'] !== undefined && documents === undefined) return undefined;
  return {
    sessionId,
    signatureType,
    relyingPartyName,
    expiresAt,
    toBeSigned,
    signatureAlgorithm,
    ...textsIn(body, 'relyingPartyDomain', 'title', 'details', 'signedDataName', 'signedDataHash', 'manifest', 'returnUrl', 'logoutClientId'),
    ...(Number.isSafeInteger(signedDataSize) && { signedDataSize: signedDataSize as number }),
    ...(requested === undefined ? {} : { requested }),
    ...(isTexts(verificationCodes) && { verificationCodes }),
    ...readWaitingPage(body['waitingPage']),
    ...(documents === undefined ? {} : { documents }),
  };
};

/** The waiting page is only a hint, so fields that cannot be read are left out. */
const readWaitingPage = (json: unknown): { readonly waitingPage?: WaitingPage } => {
  if (typeof json !== 'object' || json === null) return {};
  const { sameNetwork } = json as Json;
  const waitingPage = { ...textsIn(json as Json, 'browser', 'system'), ...(typeof sameNetwork === 'boolean' && { sameNetwork }) };
  return Object.keys(waitingPage).length === 0 ? {} : { waitingPage };
};

const readDocuments = (json: unknown): readonly ShownDocument[] | undefined => {
  if (!Array.isArray(json)) return undefined;
  const documents = json.map(readDocument);
  return documents.every((document) => document !== undefined) ? documents : undefined;
};

const readDocument = (json: unknown): ShownDocument | undefined => {
  if (typeof json !== 'object' || json === null) return undefined;
  const { name, hash, size } = json as Json;
  if (typeof name !== 'string' || typeof hash !== 'string') return undefined;
  return { name, hash, ...(Number.isSafeInteger(size) && { size: size as number }) };
};

/** Either list may be left out. */
export const readRequested = (json: unknown): Requested | undefined => {
  if (typeof json !== 'object' || json === null) return undefined;
  const { attributes = [], predicates = [] } = json as Json;
  return isTexts(attributes) && isTexts(predicates) ? { attributes, predicates } : undefined;
};

const isTexts = (json: unknown): json is readonly string[] => Array.isArray(json) && json.every((item) => typeof item === 'string');
