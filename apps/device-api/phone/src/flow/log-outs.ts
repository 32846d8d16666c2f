import type { PhoneApi, Prover } from '#clients/device';
import type { PastRequest } from './phone-memory.js';

/** What became of the wish to be logged out. */
export type LogOutEnd =
  | 'TOLD'
  /** The relying party takes no log-outs, or not any more. */
  | 'NOT_TAKEN'
  /** The person can try again. */
  | 'FAILED';

export interface LogOutsParts {
  readonly phone: { readonly prover: Prover | undefined };
  readonly api: Pick<PhoneApi, 'logOut'>;
  readonly onChange: () => void;
}

/** A login at a relying party that takes log-outs. */
export type OpenLogin = PastRequest & Required<Pick<PastRequest, 'logoutClientId'>>;

const NOT_TAKEN: readonly string[] = ['logout_not_supported', 'client_not_found'];

/** Logs the person out at relying parties. What became of it is shown until the page is left. */
export class LogOuts {
  private readonly ends = new Map<string, LogOutEnd>();

  constructor(private readonly parts: LogOutsParts) {}

  /** Undefined until the service has answered. */
  endOf({ sessionId }: Pick<OpenLogin, 'sessionId'>): LogOutEnd | undefined {
    return this.ends.get(sessionId);
  }

  async ask({ sessionId, logoutClientId }: Pick<OpenLogin, 'sessionId' | 'logoutClientId'>): Promise<LogOutEnd> {
    const { phone, api, onChange } = this.parts;
    const reply = phone.prover && (await api.logOut(phone.prover, logoutClientId));
    const isRefused = reply?.kind === 'REFUSED' && NOT_TAKEN.includes(reply.errorCode ?? '');
    const end = reply?.kind === 'OK' ? 'TOLD' : isRefused ? 'NOT_TAKEN' : 'FAILED';
    this.ends.set(sessionId, end);
    onChange();
    return end;
  }
}

/** The newest login of the person at each relying party that takes log-outs. */
export const openLogins = (requests: readonly PastRequest[]): readonly OpenLogin[] => {
  const newest = new Map<string, OpenLogin>();
  for (const request of requests) {
    if (isOpenLogin(request) && !newest.has(request.logoutClientId)) newest.set(request.logoutClientId, request);
  }
  return [...newest.values()];
};

const isOpenLogin = (request: PastRequest): request is OpenLogin => request.outcome === 'CONFIRMED' && request.logoutClientId !== undefined;
