import type { MembersPhone, NewPhone } from '#domain/administration';
import { epochSeconds } from '#kernel';

export interface ShownPhone {
  /** In the portal alone: the phone has another id elsewhere. */
  readonly phoneId: string;
  /** Epoch seconds. */
  readonly enrolledAt: number;
  /** By whose activation code: the subjectId at the portal of a person, the id of a token, or `first-start`; of two persons with four eyes. */
  readonly enrolledBy: readonly string[];
  /** Whether it may log in to the portal, and approve changes. */
  readonly trusted: boolean;
  /** When it may without an approval. Absent where it may, and where it never will by waiting. Epoch seconds. */
  readonly trustedFrom?: number;
}

export interface ShownPhones {
  /** The newest first. */
  readonly phones: readonly ShownPhone[];
}

/** A phone that a member has got within the last seven days, other than the one of the joining. */
export interface ShownNewPhone extends ShownPhone {
  readonly subjectId: string;
  /** The member's. */
  readonly label: string;
}

export const shownPhones = (phones: readonly MembersPhone[]): ShownPhones => ({ phones: phones.map(shown) });

export const shownNewPhones = (phones: readonly NewPhone[]): readonly ShownNewPhone[] =>
  phones.map((phone) => ({ subjectId: phone.subjectId, label: phone.label, ...shown(phone) }));

const shown = ({ phoneId, enrolledAt, enrolledBy, trusted, trustedFrom }: MembersPhone): ShownPhone => ({
  phoneId,
  enrolledAt: epochSeconds(enrolledAt),
  enrolledBy,
  trusted,
  ...(trustedFrom !== undefined && { trustedFrom: epochSeconds(trustedFrom) }),
});
