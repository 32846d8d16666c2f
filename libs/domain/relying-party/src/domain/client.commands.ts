import type { EndpointId } from '#kernel';

import type { ClientTerms } from './client.js';
import type { UnconfirmedBecause, WebhookTerms } from './webhook-endpoint.js';

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly now: number; readonly terms: ClientTerms; readonly secretHash: string }
  | { readonly type: 'ChangeClient'; readonly now: number; readonly changes: Partial<ClientTerms> }
  | { readonly type: 'DisableClient' | 'EnableClient' | 'DeleteClient'; readonly now: number }
  | { readonly type: 'IssueSecret'; readonly now: number; readonly secretHash: string }
  /** Of the service's own client: brings it to these terms, whatever it was. */
  | { readonly type: 'KeepClient'; readonly now: number; readonly terms: ClientTerms; readonly secretHash: string }
  | ConsentCommand
  | WebhookCommand;

/** `by`: the id of the member or of the administrator. `changeId` of a new change: a random one. */
export type ConsentCommand =
  | { readonly type: 'AskClientChange'; readonly now: number; readonly by: string; readonly changeId: string; readonly changes: Partial<ClientTerms> }
  | { readonly type: 'AcceptClientChange'; readonly now: number; readonly by: string; readonly changeId: string }
  | { readonly type: 'RefuseClientChange'; readonly now: number; readonly by: string; readonly changeId: string }
  | { readonly type: 'WithdrawClientChange'; readonly now: number; readonly by: string };

/**
 * `sealedSecret`: a new secret, sealed with the endpoint's id as context. `previousUntil`: epoch milliseconds. `proofId`: a new random id, or in the outcome
 * of a proof the one that the endpoint had when the proof began.
 */
export type WebhookCommand =
  | {
      readonly type: 'AddWebhookEndpoint';
      readonly now: number;
      readonly endpointId: EndpointId;
      readonly terms: WebhookTerms;
      readonly sealedSecret: string;
      readonly proofId: string;
    }
  | {
      readonly type: 'ChangeWebhookEndpoint';
      readonly now: number;
      readonly endpointId: EndpointId;
      readonly changes: Partial<WebhookTerms>;
      /** Absent where neither the address changes nor the endpoint is enabled. */
      readonly proofId?: string;
    }
  | { readonly type: 'ConfirmWebhookEndpoint'; readonly now: number; readonly endpointId: EndpointId; readonly proofId: string }
  | {
      readonly type: 'FailWebhookProof';
      readonly now: number;
      readonly endpointId: EndpointId;
      readonly proofId: string;
      readonly because: UnconfirmedBecause;
    }
  | { readonly type: 'RemoveWebhookEndpoint'; readonly now: number; readonly endpointId: EndpointId }
  | {
      readonly type: 'RotateWebhookSecret';
      readonly now: number;
      readonly endpointId: EndpointId;
      readonly sealedSecret: string;
      readonly previousUntil: number;
    };
