import type { LoginStorage } from './login-flow.js';
import type { Login } from './login-state.js';

const KEY = 'countersign.login';

/** Uses this tab's sessionStorage. Where storage is refused, a reload does not resume the login; everything else works. */
export const tabStorage = (): LoginStorage => ({
  recall: () => {
    try {
      return readLogin(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    } catch {
      return undefined;
    }
  },
  keep: (login) => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(login));
    } catch {
      /* see above */
    }
  },
  forget: () => {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      /* see above */
    }
  },
});

const readLogin = (json: unknown): Login | undefined => {
  if (typeof json !== 'object' || json === null || !('sessionId' in json)) return undefined;
  const { sessionId, relyingPartyName, expiresAt } = json as Readonly<Record<string, unknown>>;
  if (typeof sessionId !== 'string') return undefined;
  return {
    sessionId,
    ...(typeof relyingPartyName === 'string' ? { relyingPartyName } : {}),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
  };
};
