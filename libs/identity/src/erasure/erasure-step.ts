import type { IdentityId } from '#kernel';

/** One thing to do when a person is erased. It may be repeated at any time, also after it was done. */
export type ErasureStep = (identityId: IdentityId) => Promise<void>;
