import type { DeviceId } from '#kernel';

export type IdentityCommand =
  | { readonly type: 'RegisterIdentity'; readonly now: number }
  /** `ttl` in milliseconds. `isMember`: whether the person is a member of the portal. `bySecurity`: whether the sender has the role `security`. `by`: {@link ActivationGrant.by}. */
  | {
      readonly type: 'IssueActivationCode';
      readonly now: number;
      readonly ttl: number;
      readonly isMember: boolean;
      readonly bySecurity: boolean;
      readonly by?: readonly string[];
    }
  /**
   * `grantId`: the grant that the activation code belongs to; undefined when it belongs to none. `isMember`: whether the person is a member of the portal at
   * this time.
   */
  | {
      readonly type: 'AddDevice';
      readonly now: number;
      readonly deviceId: DeviceId;
      readonly grantId: string | undefined;
      readonly isMember: boolean;
    }
  | { readonly type: 'EraseIdentity'; readonly now: number; readonly by?: string }
  | { readonly type: 'CompleteErasure'; readonly now: number }
  | { readonly type: 'CompleteSessionErasure'; readonly now: number };
