import { UnexpectedAnswer } from './errors.js';
import type { Answer } from './read-answer.js';
import { type PushStatus, type SessionStatus, SETTLED, type SignedDocument, type SigningResult } from './session.js';

export const textIn = (answer: Answer, member: string): string => {
  const value = answer.body[member];
  if (typeof value !== 'string' || value === '') throw missing(answer, member);
  return value;
};

/** From base64. */
const bytesIn = (answer: Answer, member: string): Uint8Array<ArrayBuffer> => {
  const text = textIn(answer, member);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw missing(answer, member);
  return new Uint8Array(bytes);
};

/** Epoch seconds. */
export const timeIn = (answer: Answer, member: string): number => {
  const value = answer.body[member];
  if (!Number.isSafeInteger(value)) throw missing(answer, member);
  return value as number;
};

export const statusIn = (answer: Answer): SessionStatus => oneOf(answer, 'status', SETTLED);

const PUSH_STATUSES = { NOT_REQUESTED: true, DISPATCHED: true, NO_DEVICE: true } satisfies Record<PushStatus, true>;

export const pushStatusIn = (answer: Answer): PushStatus => oneOf(answer, 'pushStatus', PUSH_STATUSES);

/** One of the names of the values. */
const oneOf = <Name extends string>(answer: Answer, member: string, values: Readonly<Record<Name, unknown>>): Name => {
  const value = answer.body[member];
  if (typeof value !== 'string' || !Object.hasOwn(values, value)) throw missing(answer, member);
  return value as Name;
};

/** The entries of a list of objects, to be read as answers. */
export const listIn = (answer: Answer, member: string): readonly Answer[] => {
  const value = answer.body[member];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'object' && entry !== null)) throw missing(answer, member);
  return value.map((entry: Answer['body']) => ({ ...answer, body: entry }));
};

interface Kinds {
  string: string;
  boolean: boolean;
}

/** A map of names to values of one kind, or undefined when the answer has none. */
export const recordIn = <Kind extends keyof Kinds>(answer: Answer, member: string, kind: Kind): Readonly<Record<string, Kinds[Kind]>> | undefined => {
  const value = answer.body[member];
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || !Object.values(value).every((entry) => typeof entry === kind)) {
    throw missing(answer, member);
  }
  return { ...value } as Record<string, Kinds[Kind]>;
};

/** The container, the time and the signer in the result of a signing. */
export const signatureIn = (answer: Answer): Omit<SigningResult, 'signedDataHash' | 'signedDataName'> => ({
  container: bytesIn(answer, 'container'),
  signingTime: timeIn(answer, 'signingTime'),
  name: textIn(answer, 'name'),
  personalCode: textIn(answer, 'personalCode'),
  ...(answer.body['dateOfBirth'] !== undefined && { dateOfBirth: textIn(answer, 'dateOfBirth') }),
  country: textIn(answer, 'country'),
});

export const documentsIn = (answer: Answer): readonly SignedDocument[] => {
  const documents: unknown = answer.body['documents'];
  if (!Array.isArray(documents) || documents.length === 0) throw missing(answer, 'documents');
  return documents.map((document: unknown) => {
    const { name, hash } = (document ?? {}) as { readonly name?: unknown; readonly hash?: unknown };
    if (typeof name !== 'string' || typeof hash !== 'string') throw missing(answer, 'documents');
    return { name, hash };
  });
};

const missing = ({ status }: Answer, member: string): UnexpectedAnswer =>
  new UnexpectedAnswer(status, { detail: `${member} is missing or of another kind` });
