/** What the comparison uses of the package, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    readonly method: string;
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    type: string;
    body: unknown;
    readonly oidc: {
      readonly provider: { readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => Grant };
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
    };
  }

  export interface Configuration {
    readonly clients: readonly object[];
    readonly jwks: { readonly keys: readonly object[] };
    readonly cookies: { readonly keys: readonly string[] };
    readonly features: { readonly devInteractions: { readonly enabled: boolean } };
    readonly interactions: { url(context: Context, interaction: { readonly uid: string }): string };
    findAccount(context: Context, subject: string): { readonly accountId: string; claims(): { readonly sub: string } };
    loadExistingGrant(context: Context): Promise<Grant>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly uid: string }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
    listen(port: number, host: string): void;
  }
}
