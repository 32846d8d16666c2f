import type { DeviceId } from '#kernel';

export type IdentityCommand =
  | { readonly type: 'RegisterIdentity'; readonly now: number }
  /** `ttl` in milliseconds. */
  | { readonly type: 'IssueActivationCode'; readonly now: number; readonly ttl: number }
  /** `grantId`: the grant that the code was found to belong to. */
  | { readonly type: 'AddDevice'; readonly now: number; readonly deviceId: DeviceId; readonly grantId: string | undefined }
  | { readonly type: 'EraseIdentity'; readonly now: number }
  | { readonly type: 'CompleteErasure'; readonly now: number };
