import type { DeviceId } from '#kernel';

export type IdentityCommand =
  | { readonly type: 'RegisterIdentity'; readonly now: number }
  /** `ttl` in milliseconds. */
  | { readonly type: 'IssueActivationCode'; readonly now: number; readonly ttl: number }
  /** `grantId`: the grant that the activation code belongs to; undefined when it belongs to none. */
  | { readonly type: 'AddDevice'; readonly now: number; readonly deviceId: DeviceId; readonly grantId: string | undefined }
  | { readonly type: 'EraseIdentity'; readonly now: number; readonly by?: string }
  | { readonly type: 'CompleteErasure'; readonly now: number }
  | { readonly type: 'CompleteSessionErasure'; readonly now: number };
