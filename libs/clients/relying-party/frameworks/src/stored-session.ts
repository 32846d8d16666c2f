import type { LoginState } from './login-routes.js';

/** The value that the SDK keeps in the visitor's session. */
export interface WithLogin {
  countersign?: LoginState;
}

/** The session that another package has put on the request. Throws a `TypeError` with the advice where there is none. */
export const storedSession = <Session extends WithLogin>(request: object, advice: string): Session => {
  const { session } = request as { readonly session?: Session & { readonly regenerate?: unknown } };
  if (typeof session?.regenerate !== 'function') throw new TypeError(`the request has no session: ${advice}`);
  return session;
};
