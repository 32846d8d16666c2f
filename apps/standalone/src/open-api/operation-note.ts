import type { ErrorCode } from '#service/http';

import type { Keywords } from './keywords.js';

/** The parts of an operation in the OpenAPI document that the code of its controller does not contain. */
export interface OperationNote {
  /** The name of the operation in the document, and of its method in a generated client: a plain verb and its object. It stays. */
  readonly id: string;
  /** The name of the schema of its answer, where it has a body. Operations with the same answer share the name. */
  readonly answer?: string;
  readonly summary: string;
  readonly description?: string;
  /** The group of the reference in which the operation stands. */
  readonly tag: string;
  /** The errors that are particular to this operation. */
  readonly errors?: readonly ErrorCode[];
  /** Of an operation that hands the credential of its group out: it is sent without one. */
  readonly needsNoCredential?: boolean;
  /** Of an operation that reads a body for which the document has no schema. */
  readonly readsBody?: boolean;
  /** A change that a person of the portal approves on the phone: it answers 202 first (specification/admin.md#critical-changes). */
  readonly critical?: boolean;
  /** It carries out another request, and answers whatever that one answers. */
  readonly carriesOut?: boolean;
  /** It answers a stream of server-sent events, which does not end by itself. */
  readonly streams?: boolean;
  /** It is being retired. */
  readonly deprecated?: boolean;
  readonly headers?: readonly Parameter[];
  readonly query?: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly example?: string;
  /** Keywords beside `type: string`. */
  readonly limits?: Keywords;
}

/** By method and path: `POST /relying-party/v1/session`. */
export type OperationNotes = Readonly<Record<string, OperationNote>>;
