import { RecentlyUsed, type SessionId } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import type { LoadedSession } from './loaded-session.js';

/** A login whose next command is the confirmation or the exchange of its code. */
type WrittenLogin = LoadedSession & { readonly state: StartedSession };

/** The number of remembered logins, about those of a minute at thirty logins a second. Some kilobytes each. */
const REMEMBERED = 2_000;

/**
 * The logins that this process has scanned or completed, each as its last append has left it. After the scan the phone confirms the login, and after the
 * completion the client exchanges the code. When the same process gets both requests, the second one need not read the stream.
 */
export class WrittenLogins {
  readonly #logins = new RecentlyUsed<SessionId, WrittenLogin>(REMEMBERED);

  /** Remembers the session after a command of this process. */
  note(sessionId: SessionId, loaded: LoadedSession): void {
    if (isAwaited(loaded)) this.#logins.set(sessionId, loaded);
    else this.#logins.delete(sessionId);
  }

  /** Answers a login only once. So when its command conflicts with another writer, the next command reads the stream. */
  take(sessionId: SessionId): WrittenLogin | undefined {
    const login = this.#logins.get(sessionId);
    if (login) this.#logins.delete(sessionId);
    return login;
  }
}

const isAwaited = (loaded: LoadedSession): loaded is WrittenLogin => {
  const { state, newer } = loaded;
  if (newer || state.status === 'NONE' || state.terms.signatureType !== 'AUTHENTICATION') return false;
  return state.status === 'SCANNED' || ('grant' in state && state.status === 'COMPLETED' && !state.grant.redeemed);
};
