import type { IdentityId } from '#kernel';

/** One part of an erasure. It may be repeated at any time, also after it has succeeded. */
export type ErasureStep = (identityId: IdentityId) => Promise<void>;
