import type { ClientTerms } from './client.js';

export type ClientCommand =
  | { readonly type: 'RegisterClient'; readonly now: number; readonly terms: ClientTerms; readonly secretHash: string }
  | { readonly type: 'ChangeClient'; readonly now: number; readonly changes: Partial<ClientTerms> }
  | { readonly type: 'IssueSecret'; readonly now: number; readonly secretHash: string };
