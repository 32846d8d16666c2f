import type { DomainEvent } from '#kernel';

/** Ids of the path and of what was made, by their names. Nothing that a caller can fill with a text. */
export type AuditTarget = Readonly<Record<string, string>>;

/** A change that an administrator asked for. */
export type AdminChange = {
  /** Joins the two events of one request. */
  readonly changeId: string;
  /** The id of the token, `first-start` of `ADMIN_TOKEN`; of a person, the subjectId at the portal. */
  readonly actor: string;
  /** The caller's roles; `all` for the token of the first start; `member` for a member of a relying party. */
  readonly role: string;
  /** Method and route, such as `DELETE /admin/v1/identities/:identityId`. */
  readonly action: string;
  readonly target: AuditTarget;
  /** Of the request, as the log has it: a UUID or 32 hexadecimal digits, else the SHA-256 (base64url). Absent of a command on a machine with the keys. */
  readonly requestId?: string;
  /** Of an opening of a person's data: the case or the ticket, 3 to 64 of a-z 0-9 . _ -. */
  readonly reason?: string;
};

/** What one person has signed on the phone: enough to verify it without the service. */
export type ChangeSignature = {
  /** The person's subjectId at the portal. */
  readonly by: string;
  /** Base64 of the bytes that the phone showed and signed: JSON with the change in words, and its digest. */
  readonly toBeSigned: string;
  /** Base64, IEEE P1363, by ES256. */
  readonly signature: string;
  /** Of the phone, P-256 (RFC 7517). */
  readonly publicKey: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string };
};

/** The events of the stream `audit-log`. Times are epoch milliseconds. */
export type AuditEvent =
  /** Stored before the change. */
  | DomainEvent<'AdminChangeBegun', AdminChange & { readonly at: number }>
  /** Stored before the change: the persons' own signatures under it. */
  | DomainEvent<'AdminChangeApproved', AdminChange & { readonly at: number; readonly statements: readonly ChangeSignature[] }>
  /**
   * Stored before the answer. Without this event the outcome is not known: the process ended, or the store was unavailable. `persons`: of a read, the
   * identities whose data it answers, if the path does not name the person.
   */
  | DomainEvent<
      'AdminChangeEnded',
      AdminChange & { readonly at: number; readonly status: number; readonly errorCode?: string; readonly persons?: readonly string[] }
    >;
