import { KEPT_LOGIN } from './kept-login.js';
import type { LoginStorage } from './login-flow.js';
import type { Login } from './login-state.js';

/** Uses this tab's sessionStorage. If the browser refuses storage, a reload asks the service for the login of the cookie. */
export const tabStorage = (): LoginStorage => ({
  recall: () => {
    try {
      return readLogin(JSON.parse(sessionStorage.getItem(KEPT_LOGIN) ?? 'null'));
    } catch {
      return undefined;
    }
  },
  keep: (login) => {
    try {
      sessionStorage.setItem(KEPT_LOGIN, JSON.stringify(login));
    } catch {
      /* see above */
    }
  },
  forget: () => {
    try {
      sessionStorage.removeItem(KEPT_LOGIN);
    } catch {
      /* see above */
    }
  },
});

/** This page alone writes to the storage of its tab, so the shape is the one it wrote; an older page may have written less. */
const readLogin = (json: unknown): Login | undefined =>
  typeof json === 'object' && json !== null && 'sessionId' in json && typeof json.sessionId === 'string' ? (json as Login) : undefined;
