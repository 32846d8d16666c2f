import type { MembersPhone } from '#domain/administration';
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

export const shownPhones = (phones: readonly MembersPhone[]): ShownPhones => ({
  phones: phones.map(({ phoneId, enrolledAt, enrolledBy, trusted, trustedFrom }) => ({
    phoneId,
    enrolledAt: epochSeconds(enrolledAt),
    enrolledBy,
    trusted,
    ...(trustedFrom !== undefined && { trustedFrom: epochSeconds(trustedFrom) }),
  })),
});
