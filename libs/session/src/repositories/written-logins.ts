import { RecentlyUsed, type SessionId } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import type { LoadedSession } from './loaded-session.js';

/** A login whose next command is the confirmation or the exchange of its code. */
type WrittenLogin = LoadedSession & { readonly state: StartedSession };

/** Some kilobytes each. Those of a minute at thirty logins a second. */
const REMEMBERED = 2_000;

/**
 * The logins that this process has scanned or completed itself, each as its own append has left it. The phone that has scanned a login confirms it
 * next, and the client that has completed it exchanges the code: where the same process gets both requests, the second one need not read the stream.
 */
export class WrittenLogins {
  readonly #logins = new RecentlyUsed<SessionId, WrittenLogin>(REMEMBERED);

  /** The session after a command of this process. */
  note(sessionId: SessionId, loaded: LoadedSession): void {
    if (isAwaited(loaded)) this.#logins.set(sessionId, loaded);
    else this.#logins.delete(sessionId);
  }

  /** Answers it once: when the command on it loses against another writer, the next one reads. */
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
